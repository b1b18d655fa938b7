"""Looking after what is said: who may see whose words, and the record of each look."""
