# SPDX-License-Identifier: Apache-2.0
"""nic_transport between a host and a MAC, with cocotbext-axi and cocotbext-eth.

The host sends and receives by AXI4-Stream, the MAC is cocotbext-eth's, at 100 Gbit/s with a clock of its
own; registers are read and written by AXI4-Lite, with the names of the map that nicgen made.
"""

import json
import os
import random
import struct
import zlib

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource
from cocotbext.eth import EthMac, EthMacFrame

VENDOR = 0x4E47

STREAMS = ("s_axis_tx", "m_axis_tx", "s_axis_rx", "m_axis_rx")
CLOCKS = ("clk", "tx_clk", "rx_clk")
RESETS = ("rst", "tx_rst", "rx_rst")


def find_ports(dut):
    """Look up each port by its name.

    Verilator 5.006 shows each port of the top twice, and a bus lists all signals to find its own: it would
    take the copies, which nothing drives. What was looked up by name before stays.
    """
    for bus in STREAMS:
        for signal in ("tdata", "tkeep", "tvalid", "tready", "tlast", "tuser"):
            getattr(dut, f"{bus}_{signal}")
    for signal in ("awaddr", "awvalid", "awready", "wdata", "wstrb", "wvalid", "wready", "bresp", "bvalid", "bready",
                   "araddr", "arvalid", "arready", "rdata", "rresp", "rvalid", "rready"):
        getattr(dut, f"s_axil_{signal}")
    for name in CLOCKS + RESETS:
        getattr(dut, name)


class Registers:
    """The registers of a NIC by the names of a map."""

    def __init__(self, bus, path):
        self.bus = bus
        with open(path) as f:
            self.blocks = {b["name"]: b for b in json.load(f)["blocks"]}

    def find(self, name):
        block, name = name.split(".", 1)
        b = self.blocks[block]
        for r in b["registers"]:
            if r["name"] == name:
                return b["base"] + r["offset"], (r["bits"] + 31) // 32
        raise KeyError(name)

    async def read(self, name):
        at, words = self.find(name)
        value = 0
        for i in range(words):
            value |= await self.bus.read_dword(at + 4 * i) << 32 * i
        return value

    async def reach(self, name, want):
        """A counter gets to a value; the totals follow the units' counters some cycles later."""
        for _ in range(100):
            value = await self.read(name)
            if value == want:
                return
        assert value == want, f"{name} is {value}, want {want}"

    async def write(self, name, value):
        at, words = self.find(name)
        for i in range(words):
            await self.bus.write_dword(at + 4 * i, value >> 32 * i & 0xFFFFFFFF)

    async def offer(self, window, **fields):
        """Give a word to a window and wait until the unit has taken it."""
        for k, v in fields.items():
            await self.write(f"{window}.{k}", v)
        await self.write(f"{window}.command", 1)
        while await self.read(f"{window}.command") & 1:
            pass

    async def load(self, path):
        """Carry out what `nicgen csr load --dry-run` printed."""
        with open(path) as f:
            for line in f:
                name, *fields = line.split()
                await self.offer(name, **{k: int(v, 0) for k, v in (x.split("=") for x in fields)})


class Bench:
    def __init__(self, dut):
        self.dut = dut
        find_ports(dut)
        dut.s_time_locked.value = 0
        dut.s_time_ns.value = 0
        dut.m_flow_ready.value = 1
        cocotb.start_soon(Clock(dut.clk, 4000, "ps").start())
        cocotb.start_soon(Clock(dut.tx_clk, 3104, "ps").start())
        cocotb.start_soon(Clock(dut.rx_clk, 3102, "ps").start())
        self.host_tx = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis_tx"), dut.clk, dut.rst)
        self.host_rx = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis_rx"), dut.clk, dut.rst)
        self.mac = EthMac(
            tx_clk=dut.tx_clk, tx_rst=dut.tx_rst, tx_bus=AxiStreamBus.from_prefix(dut, "m_axis_tx"),
            rx_clk=dut.rx_clk, rx_rst=dut.rx_rst, rx_bus=AxiStreamBus.from_prefix(dut, "s_axis_rx"),
            ifg=12, speed=100e9)
        self.regs = Registers(AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst), os.environ["MAP"])

    async def reset(self):
        for level in (0, 1, 0):
            for name in RESETS:
                getattr(self.dut, name).value = level
            await ClockCycles(self.dut.clk, 20)
        await ClockCycles(self.dut.clk, 4)
        while not await self.regs.read("transport.status") & 1:
            pass

    async def send(self, data, tag=0):
        """From the host to the wire."""
        await self.host_tx.send(AxiStreamFrame(data, tuser=tag << 1))

    async def wire(self):
        """The next frame that the MAC gets; it stops if a frame has a gap."""
        frame = await with_timeout(self.mac.tx.recv(), 200, "us")
        return bytes(frame.data)

    async def arrive(self, data):
        """From the wire to the host. The MAC has taken the FCS off."""
        await self.mac.rx.send(EthMacFrame.from_raw_payload(data))

    async def host(self):
        """The next frame that the host gets."""
        frame = await with_timeout(self.host_rx.recv(), 200, "us")
        return bytes(frame.tdata)


def other_frame(rng, length):
    """A frame that the block does not understand."""
    return bytes([0x02, 0, 0, 0, 0, 2, 0x02, 0, 0, 0, 0, 1, 0x88, 0xB6]) + rng.randbytes(length - 14)


def icrc(ip):
    """The ICRC of a packet from its IPv4 header on, without the four bytes of it."""
    p = bytearray(ip)
    p[1] = p[8] = p[10] = p[11] = p[26] = p[27] = p[32] = 0xFF
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + p))


def checksum(header):
    s = sum(struct.unpack(f"!{len(header) // 2}H", header))
    while s >> 16:
        s = (s & 0xFFFF) + (s >> 16)
    return 0xFFFF - s


def roce(qp, psn, length, sport, opcode=0x04):
    """A RoCEv2 packet to 10.0.0.2: SEND only, or an ACK if so asked."""
    more = struct.pack("!BBH", 0, 0, 0) if opcode == 0x11 else bytes(i & 0xFF for i in range(length))
    bth = struct.pack("!BBHII", opcode, 0x40, 0xFFFF, qp, 0x80000000 | psn)
    udp = struct.pack("!HHHH", sport, 4791, 8 + len(bth) + len(more) + 4, 0x1234)
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp) + len(bth) + len(more) + 4, psn & 0xFFFF, 0x4000, 64, 17, 0,
                     bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2]))
    ip = ip[:10] + struct.pack("!H", checksum(ip)) + ip[12:]
    p = ip + udp + bth + more
    frame = bytes([0x02, 0, 0, 0, 0, 2, 0x02, 0, 0, 0, 0, 1, 0x08, 0x00]) + p + icrc(p)
    return frame.ljust(60, b"\0")


@cocotb.test()
async def registers(dut):
    """Blocks by the device's own list; a setting; a counter of 64 bits."""
    b = Bench(dut)
    await b.reset()
    found, at = [], 0
    while True:
        kind = await b.regs.bus.read_dword(at)
        assert kind >> 16 == VENDOR, f"no block at {at:#x}: {kind:#x}"
        found.append(at)
        at = await b.regs.bus.read_dword(at + 8)
        if at == 0:
            break
    assert found == [x["base"] for x in b.regs.blocks.values()]
    for name, block in b.regs.blocks.items():
        assert await b.regs.read(f"{name}.hash") == next(r["reset"] for r in block["registers"] if r["name"] == "hash")
    await b.regs.write("transport.cfg_label_high", 9)
    await b.regs.write("transport.commit", 1)
    assert await b.regs.read("transport.cfg_label_high") == 9
    await b.regs.reach("transport.sts_tx_other_cnt", 0)


@cocotb.test()
async def pass_unchanged(dut):
    """What is not understood passes, both ways at once, in order, at line rate."""
    b = Bench(dut)
    await b.reset()
    rng = random.Random(7)
    lengths = [60, 61, 63, 64, 65, 66, 124, 127, 128, 129, 1500, 4096, 9210] + [rng.randrange(60, 400) for _ in range(100)]
    out = [other_frame(rng, n) for n in lengths]
    back = [other_frame(rng, n) for n in reversed(lengths)]

    async def sender():
        for f in out:
            await b.send(f, tag=0x8001)

    async def wire():
        for f in back:
            await b.arrive(f)

    cocotb.start_soon(sender())
    cocotb.start_soon(wire())
    for f in out:
        assert await b.wire() == f
    for f in back:
        assert await b.host() == f
    await b.regs.reach("transport.sts_tx_other_cnt", len(out))
    await b.regs.reach("transport.sts_rx_frame_cnt", len(back))
    await b.regs.reach("transport.sts_rx_bad_cnt", 0)


def check_edited(sent, got):
    """Only the UDP source port, its checksum and the ICRC differ, and these are right. Gives the EV."""
    ip = 20 + struct.unpack_from("!H", sent, 38)[0]
    assert len(got) == len(sent)
    p = got[14:14 + ip]
    assert p[-4:] == icrc(p[:-4]), "ICRC"
    assert p[26:28] == b"\0\0", "UDP checksum"
    same = bytearray(got)
    same[34:36], same[40:42] = sent[34:36], sent[40:42]
    same[14 + ip - 4:14 + ip] = sent[14 + ip - 4:14 + ip]
    assert bytes(same) == sent
    return struct.unpack_from("!H", got, 34)[0]


@cocotb.test()
async def paths(dut):
    """Packets of a connection get entropy values; those of another one pass."""
    b = Bench(dut)
    await b.reset()
    await b.regs.load(os.environ["LOAD"])
    rng = random.Random(8)
    evs = set()
    for psn in range(40):
        f = roce(0x11, psn, 4 * rng.randrange(0, 300), 0xD000)
        await b.send(f)
        ev = check_edited(f, await b.wire())
        assert ev >= 0xC000
        evs.add(ev)
    assert len(evs) > 20, f"{len(evs)} entropy values of 40 packets"
    stranger = roce(0x55, 1, 64, 0xD000)
    await b.send(stranger)
    assert await b.wire() == stranger
    await b.regs.reach("transport.sts_tx_edited_cnt", 40)
    await b.regs.reach("transport.sts_tx_other_cnt", 1)


@cocotb.test()
async def queued(dut):
    """Packets of a connection with a queue are completed when they enter it, leave in order while their
    window is open, and go on when an ACK comes."""
    b = Bench(dut)
    await b.reset()
    await b.regs.load(os.environ["LOAD"])
    tags = []

    async def completions():
        while True:
            await RisingEdge(dut.clk)
            if dut.m_cpl_valid.value:
                tags.append(int(dut.m_cpl_tag.value))

    cocotb.start_soon(completions())
    frames = [roce(0x12, psn, 4096, 0xD000) for psn in range(20)]
    for i, f in enumerate(frames):
        await b.send(f, tag=0x8000 | i)
    # 64 KiB are 16 packets; the window is exceeded by less than one.
    for f in frames[:16]:
        check_edited(f, await b.wire())
    await ClockCycles(dut.clk, 3000)
    assert b.mac.tx.empty(), "more has left than the window allows"
    assert tags == [0x8000 | i for i in range(20)]
    # The ACK comes from 10.0.0.2, for queue pair 0x23.
    ack = bytearray(roce(0x23, 15, 0, 0xD000, opcode=0x11))
    ack[26:30], ack[30:34] = ack[30:34], ack[26:30]
    ip = ack[14:14 + 48]
    ack[14 + 44:14 + 48] = icrc(bytes(ip[:-4]))
    await b.arrive(bytes(ack))
    for f in frames[16:]:
        check_edited(f, await b.wire())
    assert await b.host() == bytes(ack)
    await b.regs.reach("transport.sts_tx_queued_cnt", 20)
    await b.regs.reach("transport.sts_rx_ack_cnt", 1)
    await b.regs.reach("queue.sts_quota_cnt", 0)
