"""Attacks on the site: one file for each kind that somebody has tried.

Each file says in its first lines what an attacker wants and what has to hold. Most run against server
processes as operators start them (uvicorn, and nginx in front where bytes or addresses matter),
because much of what attackers send never reaches Django's test client as it is; files and mails need
no server. What is made by chance is made again with the printed `ATTACK_SEED`. `requests`
has attacks on HTTP itself, `accounts` on signing in, `access` on other people's data and `content` on
what members upload and write. Other tests of security are beside the code that they are about; the
threat model names those.
"""
