# SPDX-License-Identifier: Apache-2.0
import ctypes, json, sys

folder = sys.argv[1]
class Ev(ctypes.Structure): _fields_ = [("ev", ctypes.c_uint16), ("source", ctypes.c_uint8)]
lib = ctypes.CDLL(folder + "/lib/libnicgen_reps.so")
lib.nicgen_reps_message.restype = ctypes.c_char_p
abi = json.load(open(folder + "/nicgen_reps.json"))["abi"]
nic, ev = ctypes.c_void_p(), Ev()
if lib.nicgen_reps_new(abi, 0, ctypes.c_uint64(7), ctypes.byref(nic)): sys.exit(lib.nicgen_reps_message(None).decode())
for i in range(4):
    lib.nicgen_reps_send(nic, 3, ctypes.c_uint64(1000 * i), ctypes.byref(ev))       # a packet of connection 3
    print(ev.ev, "from", ev.source)
    lib.nicgen_reps_ack(nic, 3, ev.ev, 0, ctypes.c_uint64(1000 * i + 500))          # its ACK was not marked
lib.nicgen_reps_free(nic)
