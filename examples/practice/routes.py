from examples.practice.pages import (
    account,
    cart,
    contact,
    extras,
    files,
    home,
    lab,
    office,
    products,
    stores,
    tickets,
    workshop,
)
from examples.practice.web import Route

PAGES = (home, products, cart, contact, account, tickets, stores, extras, files, workshop, lab, office)
# The first match wins: "/tickets/new" stands before "/tickets/<id>".
ROUTES: list[Route] = [route for module in PAGES for route in module.ROUTES]
