"""Write the questions that are suggested after an answer."""
