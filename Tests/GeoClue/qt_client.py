"""QtPositioning's client of GeoClue: prints its positions as JSON lines, after two of them stops, starts again, and ends after one more."""

import json
import sys

from PyQt5.QtCore import QCoreApplication, QTimer
from PyQt5.QtPositioning import QGeoPositionInfoSource

application = QCoreApplication(sys.argv)
source = QGeoPositionInfoSource.createSource("geoclue2", application)
seen = 0


def updated(position) -> None:
    global seen
    seen += 1
    place = position.coordinate()
    print(json.dumps({"latitude": place.latitude(), "longitude": place.longitude()}), flush=True)
    if seen == 2:
        source.stopUpdates()
        QTimer.singleShot(0, source.startUpdates)
    if seen == 3:
        application.quit()


if source is None:
    sys.exit("the plug-in geoclue2 of QtPositioning gives no source")
source.positionUpdated.connect(updated)
source.setUpdateInterval(1000)
source.startUpdates()
QTimer.singleShot(30_000, application.quit)
application.exec()
