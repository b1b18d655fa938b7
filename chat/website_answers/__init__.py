"""What a website's team does about answers: writes some, and sees which questions had none."""
