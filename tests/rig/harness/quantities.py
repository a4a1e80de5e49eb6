"""Kubernetes quantities, as the API server writes them."""
import decimal
import re

UNITS = {"n": "1e-9", "u": "1e-6", "m": "1e-3", "": "1", "k": "1e3", "M": "1e6", "G": "1e9",
         "Ki": 2**10, "Mi": 2**20, "Gi": 2**30}


def millis(quantity):
    """In thousandths, rounded up."""
    number, unit = re.fullmatch(r"[+]?([0-9.]*(?:[eE][-+]?[0-9]+)?)([a-zA-Z]*)", quantity).groups()
    exact = decimal.Decimal(number if number not in ("", ".") else "0") * decimal.Decimal(UNITS[unit]) * 1000
    return int(exact.to_integral_value(decimal.ROUND_CEILING))
