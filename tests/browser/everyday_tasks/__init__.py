"""What people do every day, walked in a browser and counted in clicks."""
