"""`python -m csim import-mjcf ...`: csim.py as a command."""
from csim import main

main()
