"""The parts of verify.py. They know the standard library of Python 3.9 and each other, and nothing else.

`evidence_app/bundle/verifier.py` joins them into the one file that lies in each pack. No two of them may use one name.
"""
