#!/bin/sh
# A sentence for each way in which the question for a position can end. The statuses are those of locationctl(1).
if place=$(locationctl fix --timeout 60 --template '%{latitude} %{longitude} within %{horizontalAccuracy} m'); then
    echo "Here: $place"
else
    case $? in
        69) echo "There is no receiver: plug one in." ;;
        75) echo "No position yet: a wider sky, or more time." ;;
        77) echo "Not allowed: sudo usermod -aG location $(id -un), then log in again." ;;
        *) echo "Something else: see 'locationctl doctor'." ;;
    esac
    exit 1
fi
