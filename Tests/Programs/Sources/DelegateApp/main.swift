import CoreLocation

let controller = LocationController()
controller.onFinish = { exit(EXIT_SUCCESS) }
RunLoop.main.run()
