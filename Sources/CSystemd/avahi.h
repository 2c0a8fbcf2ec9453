#pragma once
/* The machine's Avahi on the system's bus (its interfaces org.freedesktop.Avahi.Server and .EntryGroup). */
#include <stdint.h>
#include <string.h>
#include <systemd/sd-bus.h>

/* The bus, told to pass on that Avahi came, went or settled; NULL when there is no bus. */
static inline sd_bus *lapel_avahi_open(void) {
    sd_bus *bus = NULL;
    if (sd_bus_open_system(&bus) < 0) return NULL;
    sd_bus_set_method_call_timeout(bus, 5000000);
    const char *matches[] = {
        "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.freedesktop.Avahi'",
        "type='signal',sender='org.freedesktop.Avahi',interface='org.freedesktop.Avahi.Server',member='StateChanged'"};
    for (int i = 0; i < 2; i++)
        if (sd_bus_call_method(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                               "AddMatch", NULL, NULL, "s", matches[i]) < 0) {
            sd_bus_flush_close_unref(bus);
            return NULL;
        }
    return bus;
}

/* Avahi takes back what it announced for a bus that is closed. */
static inline void lapel_avahi_close(sd_bus *bus) { sd_bus_flush_close_unref(bus); }

/* Announces a service of this machine with one TXT field. 0: Avahi does not run; negative: it says no; 1: done.
   What was announced over this bus before is taken back. Avahi is not started for it. */
static inline int lapel_avahi_announce(sd_bus *bus, const char *name, const char *type, uint16_t port,
                                       const char *field, char group[128]) {
    static const char avahi[] = "org.freedesktop.Avahi", entries[] = "org.freedesktop.Avahi.EntryGroup";
    sd_bus_message *answer = NULL, *call = NULL;
    int runs = 0;
    int result = sd_bus_call_method(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                    "NameHasOwner", NULL, &answer, "s", avahi);
    if (result >= 0) result = sd_bus_message_read(answer, "b", &runs);
    sd_bus_message_unref(answer);
    answer = NULL;
    if (result < 0 || !runs) {
        group[0] = 0;
        return result < 0 ? result : 0;
    }
    if (group[0]) sd_bus_call_method(bus, avahi, group, entries, "Free", NULL, NULL, "");
    group[0] = 0;
    result = sd_bus_call_method(bus, avahi, "/", "org.freedesktop.Avahi.Server", "EntryGroupNew", NULL, &answer, "");
    const char *path = NULL;
    if (result >= 0) result = sd_bus_message_read(answer, "o", &path);
    if (result >= 0 && strlen(path) < 128) strcpy(group, path);
    sd_bus_message_unref(answer);
    if (result < 0 || !group[0]) return result < 0 ? result : -1;
    /* Interface and protocol -1: all of them; domain and host "": this machine's. */
    result = sd_bus_message_new_method_call(bus, &call, avahi, group, entries, "AddService");
    if (result >= 0)
        result = sd_bus_message_append(call, "iiussssq", -1, -1, (uint32_t)0, name, type, "", "", port);
    if (result >= 0) result = sd_bus_message_open_container(call, 'a', "ay");
    if (result >= 0) result = sd_bus_message_append_array(call, 'y', field, strlen(field));
    if (result >= 0) result = sd_bus_message_close_container(call);
    if (result >= 0) result = sd_bus_call(bus, call, 0, NULL, NULL);
    sd_bus_message_unref(call);
    if (result >= 0) result = sd_bus_call_method(bus, avahi, group, entries, "Commit", NULL, NULL, "");
    return result < 0 ? result : 1;
}

/* Reads what has arrived: 1 when Avahi came, or is settled after it had another name; 0 when nothing more is there;
   negative when the bus is gone. */
static inline int lapel_avahi_next(sd_bus *bus) {
    sd_bus_message *message = NULL;
    int result, again = 0;
    while ((result = sd_bus_process(bus, &message)) > 0) {
        const char *name = NULL, *before = NULL, *after = NULL, *error = NULL;
        int32_t state = 0;
        if (message == NULL) continue;
        if (sd_bus_message_is_signal(message, "org.freedesktop.DBus", "NameOwnerChanged") > 0 &&
            sd_bus_message_read(message, "sss", &name, &before, &after) >= 0 && after[0])
            again = 1;
        if (sd_bus_message_is_signal(message, "org.freedesktop.Avahi.Server", "StateChanged") > 0 &&
            sd_bus_message_read(message, "is", &state, &error) >= 0 && state == 2) /* AVAHI_SERVER_RUNNING */
            again = 1;
        sd_bus_message_unref(message);
    }
    return result < 0 ? result : again;
}
