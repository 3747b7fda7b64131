"""Programs that use GeoClue, for tests that need other orders of calls than real programs have: run as a user, prints JSON lines."""

import json
import sys
import time

import dbus
import dbus.mainloop.glib
from gi.repository import GLib

NAME = "org.freedesktop.GeoClue2"
MANAGER = "/org/freedesktop/GeoClue2/Manager"
PROPERTIES = "org.freedesktop.DBus.Properties"


def say(**values) -> None:
    print(json.dumps(values), flush=True)


def error(exception: dbus.DBusException) -> str:
    return exception.get_dbus_name().rsplit(".", 1)[1]


class Client:
    """A client of a connection of its own, and what it sees."""

    def __init__(self) -> None:
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        self.bus = dbus.SystemBus(private=True)
        # The first use of the name starts the bridge.
        begin = time.monotonic()
        self.manager = dbus.Interface(self.bus.get_object(NAME, MANAGER, introspect=False), NAME + ".Manager")
        self.started = time.monotonic() - begin
        self.seen = []
        self.paths = []

    def make(self, method: str = "GetClient"):
        return self.object(getattr(self.manager, method)())

    def ready(self, name: str):
        """A client of exact positions whose signals are noted."""
        self.watch()
        client = self.make()
        self.set(client, "DesktopId", name)
        self.set(client, "RequestedAccuracyLevel", dbus.UInt32(8))
        return client

    def object(self, path: str):
        return self.bus.get_object(NAME, path, introspect=False)

    def set(self, client, name: str, value) -> None:
        client.Set(NAME + ".Client", name, value, dbus_interface=PROPERTIES, signature="ssv")

    def get(self, path: str, interface: str, name: str):
        return self.object(path).Get(f"{NAME}.{interface}", name, dbus_interface=PROPERTIES)

    def start(self, client) -> None:
        client.Start(dbus_interface=NAME + ".Client")

    def watch(self) -> None:
        def changed(interface, values, _, path=None):
            self.seen.append([interface.rsplit(".", 1)[1], *sorted(map(str, values))])
            self.paths.append(path)

        def updated(old, new, path=None):
            self.seen.append(["LocationUpdated", str(old), str(new)])
            self.paths.append(path)

        self.bus.add_signal_receiver(changed, "PropertiesChanged", PROPERTIES, None, None, path_keyword="path")
        self.bus.add_signal_receiver(updated, "LocationUpdated", NAME + ".Client", None, None, path_keyword="path")

    def wait(self, count: int, limit: float = 20) -> None:
        """Until so many signals have come."""
        end = time.monotonic() + limit
        context = GLib.MainContext.default()
        while len(self.seen) < count and time.monotonic() < end:
            if not context.iteration(False):
                time.sleep(0.002)


def order() -> None:
    """The signals of one client, and its first two locations."""
    program = Client()
    client = program.ready("test")
    program.start(client)
    program.wait(6)
    location = program.get(client.object_path, "Client", "Location")
    values = program.object(location).GetAll(NAME + ".Location", dbus_interface=PROPERTIES)
    say(
        path=str(client.object_path), seen=program.seen[:6],
        location={name: list(value) if isinstance(value, tuple) else value for name, value in values.items()})


def first(level: str) -> None:
    """The time from Start to the first position, and that position."""
    program = Client()
    program.watch()
    begin = time.monotonic()
    client = program.make()
    got = time.monotonic()
    program.set(client, "DesktopId", "test")
    program.set(client, "RequestedAccuracyLevel", dbus.UInt32(int(level)))
    start = time.monotonic()
    try:
        program.start(client)
    except dbus.DBusException as exception:
        say(get_client=got - begin, refused=time.monotonic() - start, error=error(exception))
        return
    while not any(seen[0] == "LocationUpdated" for seen in program.seen) and time.monotonic() < start + 20:
        program.wait(len(program.seen) + 1)
    told = time.monotonic()
    updates = [seen for seen in program.seen if seen[0] == "LocationUpdated"]
    if not updates:
        say(get_client=got - begin, error="no position")
        return
    path = updates[0][2]
    get = lambda name: program.get(path, "Location", name)  # noqa: E731
    say(
        get_client=got - begin, first=told - start,
        latitude=get("Latitude"), longitude=get("Longitude"), accuracy=get("Accuracy"))


def start_time() -> None:
    """The time until the name is owned, and until its first call is answered."""
    program = Client()
    begin = time.monotonic()
    program.manager.GetClient()
    say(activated=program.started, get_client=time.monotonic() - begin)


def attack(victim: str, tries: str) -> None:
    """What a user without a grant gets by forged names, foreign paths and waiting for signals."""
    program = Client()
    program.watch()
    program.bus.add_match_string_non_blocking("type='signal',eavesdrop='true'")
    program.bus.add_match_string_non_blocking(f"type='signal',interface='{NAME}.Client'")
    positions, denied = 0, 0
    own = program.make()
    names = ["gnome-maps", "org.gnome.Maps", "firefox", "gnome-shell", "xdg-desktop-portal", "../../root", "locationd-geoclue"]
    for number in range(int(tries)):
        kind = number % 5
        try:
            if kind == 0:
                program.set(own, "DesktopId", names[number // 5 % len(names)])
                program.start(own)
            elif kind == 1:
                program.get(f"{victim}/Location/{number // 5 % 40}", "Location", "Latitude")
                positions += 1
            elif kind == 2:
                program.get(victim, "Client", "Location")
                positions += 1
            elif kind == 3:
                program.object(victim).Start(dbus_interface=NAME + ".Client")
            else:
                program.object(f"{victim}/Location/{number // 5 % 40}").GetAll(NAME + ".Location", dbus_interface=PROPERTIES)
                positions += 1
        except dbus.DBusException:
            denied += 1
    program.wait(10_000, limit=1)
    positions += sum(seen[0] == "LocationUpdated" for seen in program.seen)
    say(positions=positions, denied=denied, foreign_signals=program.paths.count(victim))


def hold() -> None:
    """A client that stays active until standard input ends; prints its path after its first position."""
    program = Client()
    client = program.ready("victim")
    program.start(client)
    program.wait(4)
    say(path=str(client.object_path))
    loop = GLib.MainLoop()
    GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, lambda *_: loop.quit())
    loop.run()
    say(seen=program.seen)


def agent() -> None:
    """An agent as GNOME's: its user's clients stop when it allows nothing, and go on."""
    import dbus.service

    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SystemBus(private=True)
    most = [8]

    class Agent(dbus.service.Object):
        @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
        def GetAll(self, _):
            return {"MaxAccuracyLevel": dbus.UInt32(most[0])}

        @dbus.service.signal(PROPERTIES, signature="sa{sv}as")
        def PropertiesChanged(self, interface, changed, invalidated):
            pass

    here = Agent(bus, "/org/freedesktop/GeoClue2/Agent")
    added = []
    manager = dbus.Interface(bus.get_object(NAME, MANAGER, introspect=False), NAME + ".Manager")
    manager.AddAgent("gnome-shell", reply_handler=lambda: added.append(True), error_handler=lambda e: added.append(str(e)))
    context = GLib.MainContext.default()
    while not added:
        context.iteration(True)
    say(added=added[0])
    for line in sys.stdin:
        most[0] = int(line)
        here.PropertiesChanged(NAME + ".Agent", {"MaxAccuracyLevel": dbus.UInt32(most[0])}, [])
        while context.iteration(False):
            pass
        bus.flush()


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
