// SPDX-License-Identifier: Apache-2.0
//
// Assertions bound to nic_queue: streams, packets without gaps, cells, links and visits.

`resetall
`timescale 1ns / 1ps
`default_nettype none

module nic_nic_queue_sva #(
  parameter int unsigned CONN_BITS = 16,
  parameter int unsigned CELL_W    = 13,
  parameter int unsigned CONN_W    = 8
) (
  input wire logic                 clk,
  input wire logic                 rst,
  input wire logic                 flow_valid,
  input wire logic                 flow_ready,
  input wire logic [CONN_BITS-1:0] flow_conn,
  input wire logic                 flow_off,
  input wire logic                 out_valid,
  input wire logic                 out_first,
  input wire logic                 out_last,
  input wire logic                 take,
  input wire logic                 some,
  input wire logic                 give,
  input wire logic [CELL_W:0]      write_place,
  input wire logic [CELL_W:0]      give_place,
  input wire logic [CELL_W:0]      take_place,
  input wire logic [CELL_W:0]      kept_place,
  input wire logic                 beat_wr,
  input wire logic [CELL_W:0]      beat_place,
  input wire logic                 meta_wr,
  input wire logic                 read_valid,
  input wire logic                 read_first,
  input wire logic [CELL_W:0]      read_place,
  input wire logic                 visit_push,
  input wire logic                 visit_room,
  input wire logic                 end_wr,
  input wire logic [CONN_W-1:0]    end_row,
  input wire logic                 in_wr,
  input wire logic [CONN_W-1:0]    in_row,
  input wire logic [CELL_W:0]      in_word,
  input wire logic [CELL_W:0]      out_word
);

  localparam logic [CELL_W:0] CELLS = {1'b1, {CELL_W{1'b0}}};

  flow_stands : assert property (@(posedge clk) disable iff (rst)
    flow_valid && !flow_ready |=> flow_valid && $stable(flow_conn) && $stable(flow_off))
    else $error("a message of the flow control changed");

  // A packet that left its first beat and not its last.
  logic inside_q;

  always_ff @(posedge clk) begin
    if (out_valid) begin
      inside_q <= !out_last;
    end
    if (rst) begin
      inside_q <= 1'b0;
    end
  end

  no_gaps : assert property (@(posedge clk) disable iff (rst)
    inside_q |-> out_valid && !out_first)
    else $error("a gap in a packet, or another one in it");

  begins_first : assert property (@(posedge clk) disable iff (rst)
    out_valid && !inside_q |-> out_first)
    else $error("a packet without its first beat");

  takes_some : assert property (@(posedge clk) disable iff (rst)
    take |-> some)
    else $error("a cell is taken where none is free");

  // free cells, those of the packet that comes, and those in queues are all cells: the places
  // are in order, and never further apart than that.
  logic [CELL_W:0] free;
  logic [CELL_W:0] free_kept;

  assign free      = give_place - take_place;
  assign free_kept = write_place - kept_place;

  cells_in_order : assert property (@(posedge clk) disable iff (rst)
    free <= free_kept && free_kept <= CELLS)
    else $error("more cells are free than there are");

  gives_used : assert property (@(posedge clk) disable iff (rst)
    give |-> free_kept < CELLS)
    else $error("a cell is given back that is free");

  // The beat that is read one cycle later.
  read_or_write : assert property (@(posedge clk) disable iff (rst)
    beat_wr && $past(read_valid) && !$past(rst) |-> beat_place != $past(read_place))
    else $error("a beat is read as it is written");

  // Meta of a packet that begins may be read two cycles later.
  meta_read_or_write : assert property (@(posedge clk) disable iff (rst)
    meta_wr && $past(read_valid && read_first, 2) && !$past(rst) && !$past(rst, 2) |->
      beat_place[CELL_W:1] != $past(read_place[CELL_W:1], 2))
    else $error("meta is read as it is written");

  visits_have_room : assert property (@(posedge clk) disable iff (rst)
    visit_push |-> visit_room)
    else $error("a visit is lost");

  // One connection is watched: cells that went never pass those that came.
  logic [CELL_W:0] came_q;
  logic [CELL_W:0] went_q;
  logic [CELL_W:0] used;

  always_ff @(posedge clk) begin
    if (in_wr && in_row == '0) begin
      came_q <= in_word;
    end
    if (end_wr && end_row == '0) begin
      went_q <= out_word;
    end
    if (rst) begin
      came_q <= '0;
      went_q <= '0;
    end
  end

  assign used = came_q - went_q;

  used_in_range : assert property (@(posedge clk) disable iff (rst)
    used <= CELLS)
    else $error("a connection has more cells than there are");

endmodule

bind nic_queue nic_nic_queue_sva #(
  .CONN_BITS (CONN_BITS),
  .CELL_W    (CELL_W),
  .CONN_W    (CONN_W)
) sva (
  .clk         (clk),
  .rst         (rst),
  .flow_valid  (m_flow_valid),
  .flow_ready  (m_flow_ready),
  .flow_conn   (m_flow_conn),
  .flow_off    (m_flow_off),
  .out_valid   (m_axis_tvalid),
  .out_first   (m_axis_first),
  .out_last    (m_axis_tlast),
  .take        (enter.cells.take),
  .some        (enter.cells.some),
  .give        (give),
  .write_place (enter.cells.place_q),
  .give_place  (enter.cells.give_q),
  .take_place  (enter.cells.take_q),
  .kept_place  (enter.cells.kept_q),
  .beat_wr     (beat_wr),
  .beat_place  (beat_place),
  .meta_wr     (meta_wr),
  .read_valid  (read_valid),
  .read_first  (read_first),
  .read_place  (read_place),
  .visit_push  (pick.x5_valid_q),
  .visit_room  (pick.unused_room),
  .end_wr      (end_wr),
  .end_row     (end_row),
  .in_wr       (in_wr),
  .in_row      (in_row),
  .in_word     (in_word),
  .out_word    (end_word)
);

`resetall
