// What follows from the choices in table.scad, and the sizes of what is bought, each with where it is from. A size that
// no public drawing gives says "measure": hold yours against it before printing.

// --- what follows ---
board = [files * square, ranks * square];
outer = [board.x + 2 * rail, board.y + 2 * rail];
bottom = -depth;
top = deck + chamber + surface;
height = top - bottom;
console_origin = [-rail, -rail - console_depth, 0];
console_third = outer.x / 3;
rim = bottom + lid_thickness;      // the console's lower edge, the lid's upper face
plate = top - console_wall;        // the underside of the console's top
middle = [outer.x / 2, console_depth / 2];

// --- screws: [shank, clearance hole, head, head's height, room for the head, hole that holds it] ---
// M3 in heat-set inserts of 5.7 mm that want a hole of 4.0 and 1.6 mm of wall (CNC Kitchen's M3 standard; NopSCADlib
// inserts.scad, F1BM3, has 4.0 and 5.8). Heads by ISO 4762. M2.5 and M2 cut their thread in the plastic.
screw_sizes = [["M3", [3, 3.4, 5.5, 3, 6.5, 4]], ["M2.5", [2.5, 2.8, 4.5, 2.5, 5, 2.1]], ["M2", [2, 2.3, 3.8, 2, 4.4, 1.7]]];
insert_length = 5.7;
insert_wall = 1.6;
pocket = 9;                        // an insert, and room for the tip of the screw

// --- joints ---
bearer_width = 2 * ledge;
bearer_foot = 20;
bearer_lap = 30;
rail_lap = 24;
rail_tongue = rail - surface_edge; // of the outer of the two tongues; the inner one is what is left, less 0.2
rail_seam = board.x / 2;
bearer_seam = floor(files / 2) * square;        // between two file lines
side_seam = (floor(ranks / 2) - 0.5) * square;  // not where a bearer ends
bearer_ys = [for (rank = [tile.y : tile.y : ranks - 1]) rank * square];
lap_heights = [bottom + 9, bottom + 22];
corner_heights = [bottom + 10, bottom + 23];
floor_edge = 8;                    // how far the floor lies on the rails
column = 9;                        // what holds lid and rail, all along the console's height
edge_strip = console_wall + column;
flange = [4, 7];                   // left and right of a joint between thirds
flange_width = 9;
column_off = 14;                   // from a joint to the columns beside it
column_xs = [22, console_third - column_off, console_third + column_off,
    2 * console_third - column_off, 2 * console_third + column_off, outer.x - 22];
rail_screw_z = bottom + 21;
lid_seams = [console_third + column_off, 2 * console_third + column_off];  // not under the console's joints: it ties them
lid_lap = 16;

// --- cable ways ---
window_xs = [console_third / 2, outer.x - console_third / 2];  // from the board into the console
window = [50, 16];
window_z = bottom + 9;
notch = [20, 14];                  // in the left wall, open below: plugs go in before the lid
notch_y = 14;

// --- computers, as their drawings lie: header above, power below (datasheets.raspberrypi.com, mechanical drawings) ---
board_sizes = [["pi-3", [85, 56]], ["pi-4", [85, 56]], ["pi-5", [85, 56]], ["zero-2", [65, 30]]];
pi_holes = [[3.5, 3.5], [61.5, 3.5], [3.5, 52.5], [61.5, 52.5]];
zero_holes = [[3.5, 3.5], [61.5, 3.5], [3.5, 26.5], [61.5, 26.5]];
function computer_holes(name) = name == "zero-2" ? zero_holes : pi_holes;
board_thickness = 1.4;
stud_height = 5;                   // solder and the card's slot below a Pi need 3
// [plug, edge it is at, along that edge, width, height, how far it looks over the edge]
sockets = [
    ["pi-3", [["micro-usb", "front", 10.6, 8, 3, 1], ["hdmi", "front", 32, 15, 6.5, 1.5], ["", "front", 53.5, 7, 6, 2.5],
        ["rj45", "right", 10.25, 16, 13.5, 3], ["usb-a", "right", 29, 15, 16, 3], ["usb-a", "right", 47, 15, 16, 3]]],
    ["pi-4", [["usb-c", "front", 11.2, 9, 3.2, 1], ["micro-hdmi", "front", 26, 7.1, 3.5, 1.2], ["micro-hdmi", "front", 39.5, 7.1, 3.5, 1.2],
        ["", "front", 54, 7, 6, 2.5],
        ["rj45", "right", 45.75, 16, 13.5, 3], ["usb-a", "right", 27, 15, 16, 3], ["usb-a", "right", 9, 15, 16, 3]]],
    ["pi-5", [["usb-c", "front", 11.2, 9, 3.2, 1], ["micro-hdmi", "front", 25.8, 7.1, 3.5, 1.2], ["micro-hdmi", "front", 39.2, 7.1, 3.5, 1.2],
        ["rj45", "right", 10.2, 16, 13.5, 3], ["usb-a", "right", 29.1, 15, 16, 3], ["usb-a", "right", 47, 15, 16, 3]]],
    ["zero-2", [["mini-hdmi", "front", 12.4, 11.2, 3.5, 0.7], ["micro-usb", "front", 41.4, 8, 3, 1], ["micro-usb", "front", 54, 8, 3, 1]]]
];
cooler = [60, 44, 14];             // of a Pi 5, from the board's upper side
header = [51, 5];                  // 2 x 20 pins
pin_plugs = 25;                    // housings of 14 on pins of 8.5, and the wires' bend

// --- plugs: [width, height, stiff length, cable] (measure: makers differ); cables bend round three of their diameters ---
plugs = [["usb-c", [12.4, 6.6, 26, 4]], ["micro-usb", [11, 7.5, 26, 4]], ["micro-hdmi", [12.5, 8, 26, 4.5]],
    ["mini-hdmi", [16, 9.5, 30, 5]], ["usb-a", [16, 15, 38, 4]], ["rj45", [12, 13, 30, 6]],
    ["hdmi", [22, 13, 32, 0]]];    // for a Pi 3 an angled one, whose cable leaves at its side
bend_radius = 3;
adapter = [82, 17, 10];            // a Zero's USB adapter on a short cable, and the Pico's plug in it

// --- Pico (datasheets.raspberrypi.com/pico, mechanical specification): USB at the left, 1.3 over the edge ---
pico_size = [51, 21];
pico_holes = [[2, 4.8], [49, 4.8], [2, 16.2], [49, 16.2]];
pico_thickness = 1;

// --- board for the 5 V: fuse, terminals, level shifter, capacitor, on a perforated board of 5 x 7 cm (measure its holes) ---
power_size = [70, 50];
power_holes = [[2, 2], [68, 2], [2, 48], [68, 48]];
power_thickness = 1.6;
power_parts = 22;                  // terminals 10, a capacitor of 1000 uF stands 20

// --- where they lie on the lid, seen from above, in the console ---
computer_at = [lid_seams[0] + lid_lap / 2 + 6, console_depth - edge_strip - board_size(computer).y];
pico_at = [outer.x - 8 - pico_size.x, console_depth - edge_strip - pico_size.y - 2];
power_at = [62, 45];
computer_studs = computer_holes(computer);
// The Pico's holes next to its USB shell take no screw: a head of 3.8 would stand 0.2 mm in the shell.
pico_studs = [for (hole = pico_holes) if (hole.x > pico_size.x / 2) hole];
pico_rests = [for (hole = pico_holes) if (hole.x <= pico_size.x / 2) hole];
power_studs = power_holes;

// --- in the panel: [hole, room below it, how deep with terminals and wires] ---
button_body = [30, 42];            // a 24 mm arcade button: nut 29, terminals 36 (measure), its light and the bend of its wires
encoder_body = [14, 13, 17];       // EC11: 12 x 13.2, 7 deep, pins and wires (data sheets of ALPS EC11 and its copies)
buzzer_body = [12, 9.5];           // a passive one of 12 mm, pins and wires 6 more
buzzer_ring = 7;
button_at = [outer.x * 0.8, middle.y];
encoder_at = [outer.x * 0.2, middle.y];
buzzer_at = [outer.x * 0.73, middle.y];

// --- in the left wall ---
// rocker switch (NopSCADlib rockers.scad, PRASA1: hole 13 x 19.25, frame 15 x 21, 18.5 deep), and its terminals' sleeves
switch_hole = [19.4, 13.2];
switch_frame = [21, 15, 2];
switch_depth = 36;
switch_at = [85, top - 26];        // y, z
// socket (Switchcraft 722A: hole 7.95, walls of up to 3.18, behind them 11 wide and 15.2 deep), with its wires
jack_frame = [14, 2];
jack_body = [11, 30];
jack_at = [52, top - 26];

// --- glass: [active area, panel's height, board, between its holes, screw, pins, from board to glass's face] ---
// 0.96: active area 21.744 x 10.864, panel 26.7 x 19.26, 2.1 from its upper edge (data sheet DM-OLED096-624); board 27.3 x
//       27.8 (wiki.lckfb.com, 0-96-iic-single-screen), holes 23.5 x 23.8 (models of it; makers differ by a millimetre)
// 1.3:  29.42 x 14.7, panel 34.5 x 23 (data sheet 1.3inch-SH1106-OLED, SparkFun); board and holes: measure
// 2.42: 55.01 x 27.49 (Waveshare wiki, 2.42inch OLED Module; theirs is 61.5 x 39.5); panel 60.5 x 37; board and holes: measure
// 3.12: 76.78 x 19.18, board 102 x 35 (data sheet DM-OLED312-640, SSD1322); panel 88 x 27.8; holes: measure
glasses = [
    ["oled-0.96", [[21.744, 10.864], 19.26, [27.3, 27.8], [23.5, 23.8], "M2", 4, 1.6]],
    ["oled-1.3", [[29.42, 14.7], 23, [35.4, 33.5], [30.4, 28.5], "M2", 4, 1.8]],
    ["oled-2.42", [[55.01, 27.49], 37, [72, 43.5], [66, 37], "M2.5", 7, 2.4]],
    ["oled-3.12", [[76.78, 19.18], 27.8, [102, 35], [97, 30], "M2.5", 16, 2.4]]
];
active_below_edge = 2.1;           // of the panel, all four: the rest of it is the driver's, at the lower edge
window_margin = 1;                 // around the active area
glass_board_thickness = 1.6;
glass_back = 3.5;                  // parts behind the module's board

// --- looking up ---
function entry(table, name) = [for (row = table) if (row[0] == name) row[1]][0];
function board_size(name) = entry(board_sizes, name);
function plug_room(kind) = let(size = entry(plugs, kind)) size[2] + (bend_radius + 0.5) * size[3];
function plug_ends(name) = board_size(name).y + edge_strip
    + max([for (socket = entry(sockets, name)) if (socket[0] != "" && socket[1] == "front") plug_room(socket[0]) + socket[5]]) - console_wall;
function glass_active(name) = entry(glasses, name)[0];
function glass_window(name) = glass_active(name) + [2, 2] * window_margin;
// The panel lies in the middle of its board, the active area near the panel's upper edge: not in the middle of either.
function glass_offset(name) = [0, entry(glasses, name)[1] / 2 - active_below_edge - glass_active(name).y / 2];
function glass_board(name) = entry(glasses, name)[2];
function glass_screws(name) = entry(glasses, name)[3];
function glass_screw(name) = entry(glasses, name)[4];
function glass_pins(name) = entry(glasses, name)[5];
function glass_rise(name) = entry(glasses, name)[6];
// The window is in the console's middle; the module's board lies lower by its offset.
glass_at = middle - glass_offset(glass) - glass_shift;
function lid_start(which) = which == "middle" ? lid_seams[0] : which == "right" ? lid_seams[1] : 0;
function lid_end(which) = which == "left" ? lid_seams[0] : which == "middle" ? lid_seams[1] : outer.x;
