#!/bin/sh
# Prints one sentence for each possible result. locationctl(1) lists the exit statuses.
if place=$(locationctl fix --timeout 60 --template '%{latitude} %{longitude} within %{horizontalAccuracy} m'); then
    echo "This machine is at $place"
else
    case $? in
        69) echo "There is no receiver: plug one in." ;;
        75) echo "No position yet: give the antenna a wider view of the sky, or wait longer." ;;
        77) echo "Access denied: run sudo usermod -aG location $(id -un), then log in again." ;;
        *) echo "Something else is wrong: run 'locationctl doctor'." ;;
    esac
    exit 1
fi
