"""Looking after accounts: who is here, what they may, and a row of the record for each change."""
