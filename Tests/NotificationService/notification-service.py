"""A desktop's notification service on the session bus (Desktop Notifications Specification 1.2), for a test.

It says each notification as a JSON line on stdout, and each that is closed; a line "press ID KEY" or "dismiss ID" on stdin is what a
person does.
"""
import json
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"


def say(**what):
    print(json.dumps(what), flush=True)


class Service(dbus.service.Object):
    last = 0

    @dbus.service.method(NAME, out_signature="ssss")
    def GetServerInformation(self):
        return ("test", "swift-corelocation", "1", "1.2")

    @dbus.service.method(NAME, out_signature="as")
    def GetCapabilities(self):
        return ["actions", "body", "body-markup"]

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, summary, body, actions, hints, expires):
        Service.last += 1
        say(shown=Service.last, app=app, summary=summary, body=body, actions=list(actions),
            urgency=int(hints.get("urgency", 1)), expires=int(expires))
        return Service.last

    @dbus.service.method(NAME, in_signature="u")
    def CloseNotification(self, number):
        say(closed=int(number))
        self.NotificationClosed(number, 3)

    @dbus.service.signal(NAME, signature="uu")
    def NotificationClosed(self, number, reason):
        pass

    @dbus.service.signal(NAME, signature="us")
    def ActionInvoked(self, number, key):
        pass


def hear(source, _):
    line = source.readline()
    if not line:
        loop.quit()
        return False
    word, number, *rest = line.split()
    if word == "press":
        service.ActionInvoked(int(number), rest[0])
    service.NotificationClosed(int(number), 2)
    return True


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
name = dbus.service.BusName(NAME, bus)
service = Service(bus, "/org/freedesktop/Notifications")
loop = GLib.MainLoop()
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, hear)
say(ready=True)
loop.run()
