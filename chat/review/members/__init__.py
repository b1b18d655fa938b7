"""Looking after accounts: who is here, what they may, and a deed of the record for each change."""
