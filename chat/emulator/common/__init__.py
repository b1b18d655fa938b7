"""What all of the emulator uses: faults, tokens, what an answer uses of them."""
