"""The pages and the API: requests in, responses out. One folder for each noun, `http` for all."""
