"""The passages of documents that an answer is based on."""
