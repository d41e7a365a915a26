"""Where a secret that was handed in may have leaked to."""

from django.db import connection


def every_cell() -> str:
    """What the whole database holds, as text."""
    with connection.cursor() as cursor:
        found = []
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            found.append(repr(cursor.fetchall()))
    return "\n".join(found)
