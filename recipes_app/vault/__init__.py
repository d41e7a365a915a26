"""Where passwords lie that a site is signed in to with: one protocol over three places. Knows no Django."""
