// The case of a table: tiles of cells for lights and reeds, rails around them, a console with glass, button and encoder.
//
//   openscad -D part='"tile"' -D tile='[4, 4]' -o tile.stl table.scad
//   openscad -D part='"console"' -D third='"left"' -D glass='"oled-2.42"' -o console-left.stl table.scad
//   openscad -D files=9 -o all.png table.scad            (to look at: everything in its place, 9 x 8)
//
// This file holds what you may choose. What follows from it, and the sizes of all that is bought, is in dimensions.scad;
// each kind of part has a file of its own. All lengths in millimetres. z = 0 is the underside of the tiles, the corner of
// a1 is at the origin, y points away from White.

/* [What to make] */
part = "assembly"; // [assembly, exploded, inside, everything, numbers, tile, bearer, rail_front, rail_back, rail_left, rail_right, console, lid]
// squares of one tile, as your printer allows: 8 x 8 squares of 50 mm are four tiles of 4 x 4
tile = [4, 4];
// console and lid are as wide as the table: all of it, or the third that is printed
third = "all"; // [all, left, middle, right]
// rails and bearers are as long as the table: all of it, or the half that is printed
half = "all"; // [all, first, second]

/* [The build] */
files = 8; // [8, 9]
ranks = 8; // [8, 9]
square = 50; // [20:100]
encoder = true; // false for the profile one-button
lights = true;
pico = true;    // false where the Pi's own pins read the switches
computer = "pi-4"; // [pi-3, pi-4, pi-5, zero-2]
glass = "oled-0.96"; // [oled-0.96, oled-1.3, oled-2.42, oled-3.12]
// of the window, if your module's display lies elsewhere: to the right, and towards the module's pins
glass_shift = [0, 0];

/* [The board] */
surface = 2;        // thickness of the sheet the pieces stand on: 0.5 of veneer on 1.5 of acrylic, or acrylic
surface_edge = 4;   // how far the sheet lies on the rails
cell_wall = 2.4;    // between two squares: keeps the light of one out of the next
deck = 2;           // floor of a cell
chamber = 10;       // from the floor to the sheet: the light spreads over the square
light_hole = 9;     // a WS2812B or APA102 looks through from below
reed_length = 32;   // the reed as it is cut: glass in the middle, straight leads on both sides
reed_width = 2.6;   // groove for a glass of 2.3
reed_depth = 2.3;   // of that groove: the glass touches the sheet
reed_rib = 6;       // the rib that holds the reed right under the sheet
reed_shift = 12;    // from the square's middle to the reed's: its dead spot lies outside of where a piece stands
lead_hole = 1.6;    // for the copper wire that is soldered to a lead ...
lead_hole_at = 10.5; // ... this far from the reed's middle, 3 mm from its glass

/* [The frame] */
rail = 12;          // width of the frame
depth = 45;         // room below the tiles for boards and wires
floor_sheet = 3;    // closes the board from below: hardboard, plywood, acrylic
ledge = 5;          // how far the tiles lie on the rails: no more than 6, or it covers the reeds' leads
bearer_height = 12;

/* [The console] */
console_depth = 115; // along y, in front of White's first rank: a Pi, and the plugs at its long side
console_wall = 3;
lid_thickness = 4;
button_hole = 24;   // a 24 mm arcade button; 16 for a metal push button
encoder_hole = 7.2;
jack_hole = 8.2;    // a Switchcraft 722A socket (5 A) for 5.5 x 2.1 plugs, or a DC-025; 11.2 for a DC-022

/* [Fits] */
swell = 0.3;        // printed parts swell: what is left on each side where one lies in another

/* [Hidden] */
$fn = 48;
eps = 0.01;

include <dimensions.scad>
include <fasteners.scad>
include <tiles.scad>
include <rails.scad>
include <console.scad>
include <lid.scad>
include <electronics.scad>
include <assembly.scad>
include <numbers.scad>

assert(files >= 8 && files <= 9 && ranks >= 8 && ranks <= 9, "files and ranks: expected 8 or 9");
assert(reed_shift >= 11, "reed_shift: expected 11 or more, or a piece 10 mm off the middle stands over the reed's dead spot");
assert(reed_shift + reed_length / 2 + 1 + reed_rib / 2 < (square - cell_wall) / 2 * sqrt(2), "the reed does not fit the square: expected a larger square");
assert(glass_board(glass).y < console_depth - 2 * edge_strip, "the glass does not fit: expected a deeper console");
assert(cell_wall / 2 - swell >= 0.8, "the outer walls of a tile would be thinner than 0.8: expected a larger cell_wall, or less swell");
assert(plug_ends(computer) < console_depth - 2 * console_wall, "no room for the plugs: expected a deeper console");

// As it lies on the printer's bed.
if (part == "tile") board_tile(tile.x, tile.y);
else if (part == "rail_front") rotate([90, 0, 0]) rail_front(half);
else if (part == "rail_back") rotate([-90, 0, 0]) rail_back(half);
else if (part == "rail_left") rotate([0, -90, 0]) rail_left(half);
else if (part == "rail_right") rotate([0, 90, 0]) rail_right(half);
else if (part == "bearer") rotate([90, 0, 0]) bearer(half);
else if (part == "console") rotate([180, 0, 0]) console(third);
else if (part == "lid") lid(third);
else if (part == "assembly") assembly();
else if (part == "exploded") exploded();
else if (part == "inside") inside();
else if (part == "everything") everything();
else if (part == "numbers") numbers();
else assert(false, str("part = ", part, ": expected assembly, exploded, inside, everything, numbers, tile, bearer, rail_front, rail_back, rail_left, rail_right, console or lid"));
