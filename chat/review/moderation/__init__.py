"""What the staff does to what was said, and to people: each with a reason, and on record.

Each act is one transaction with its row of the record, and has another that takes it back.
"""
