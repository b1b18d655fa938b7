"""Wire formats for the different clients, all encoded from the same stored frames."""
