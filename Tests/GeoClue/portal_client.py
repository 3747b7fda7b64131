"""Two sessions of the desktop portal on one connection, each of which gets two positions: prints a JSON line for each session."""

import json
import sys

import dbus
import dbus.mainloop.glib
from gi.repository import GLib

PORTAL = "org.freedesktop.portal.Desktop"
LOCATION = "org.freedesktop.portal.Location"
dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
portal = dbus.Interface(bus.get_object(PORTAL, "/org/freedesktop/portal/desktop", introspect=False), LOCATION)
loop = GLib.MainLoop()
seen = {}


def updated(session, location) -> None:
    seen.setdefault(str(session), []).append({name: float(location[name]) for name in ("Latitude", "Accuracy")})
    if len(seen) == 1 and len(seen[str(session)]) == 2 and session == first:
        globals()["second"] = start("second")
    if all(len(seen.get(one, [])) >= 2 for one in (first, second)):
        loop.quit()


def start(token: str) -> str:
    options = {"session_handle_token": token, "accuracy": dbus.UInt32(5)}
    session = portal.CreateSession(dbus.Dictionary(options, signature="sv"))
    portal.Start(session, "", dbus.Dictionary({"handle_token": token}, signature="sv"))
    return str(session)


bus.add_signal_receiver(updated, "LocationUpdated", LOCATION)
second = None
first = start("first")
GLib.timeout_add_seconds(20, loop.quit)
loop.run()
for session in (first, second):
    print(json.dumps(seen.get(session, [])))
sys.exit(0 if all(len(seen.get(one, [])) >= 2 for one in (first, second)) else 1)
