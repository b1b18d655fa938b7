"""The wire formats in which clients read an answer, each made of the same stored frames."""
