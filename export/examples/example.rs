// SPDX-License-Identifier: Apache-2.0
#[repr(C)] #[derive(Default)] struct Ev { ev: u16, source: u8 }
#[link(name = "nicgen_reps")] extern "C" {
    fn nicgen_reps_new(abi: u32, engine: i32, seed: u64, nic: *mut *mut u8) -> i32;
    fn nicgen_reps_send(nic: *mut u8, conn: u16, now_ns: u64, ev: *mut Ev) -> i32;
    fn nicgen_reps_ack(nic: *mut u8, conn: u16, ev: u16, ecn: u8, now_ns: u64) -> i32;
    fn nicgen_reps_free(nic: *mut u8);
}
fn main() {
    let abi = u32::from_str_radix(&env!("NICGEN_REPS_ABI")[2..10], 16).unwrap();            // as the header has it
    let (mut nic, mut ev) = (std::ptr::null_mut(), Ev::default());
    assert_eq!(unsafe { nicgen_reps_new(abi, 0, 7, &mut nic) }, 0);
    for i in 0..4 {
        unsafe { nicgen_reps_send(nic, 3, 1000 * i, &mut ev) };                             // a packet of connection 3
        println!("{} from {}", ev.ev, ev.source);
        unsafe { nicgen_reps_ack(nic, 3, ev.ev, 0, 1000 * i + 500) };                       // its ACK was not marked
    }
    unsafe { nicgen_reps_free(nic) };
}
