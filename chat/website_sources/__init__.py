"""The pages of a website, read and kept up to date so that its chat can answer from them."""
