// The case of a table: cells for lights and reeds, a frame around them, a console with glass, button and encoder.
//
//   openscad -D part='"tile"' -D tile='[4, 4]' -o tile.stl table.scad
//   openscad -D part='"console"' -D glass='"oled-2.42"' -o console.stl table.scad
//   openscad -D files=9 -o all.png table.scad            (to look at: everything in its place, 9 x 8)
//
// All lengths in millimetres. z = 0 is the underside of the board's deck, y points away from White.

/* [What to make] */
part = "assembly"; // [assembly, tile, bearer, rail_x, rail_y, console, lid]
// squares of one tile, as your printer allows: 8 x 8 squares of 50 mm are four tiles of 4 x 4
tile = [4, 4];
// the console is as wide as the table: all of it, or the third that is printed
third = "all"; // [all, left, middle, right]

/* [The build] */
files = 8; // [8, 9]
ranks = 8; // [8, 9]
square = 50; // [20:100]
encoder = true; // false for the profile one-button
lights = true;
glass = "oled-0.96"; // [oled-0.96, oled-1.3, oled-2.42, oled-3.12]

/* [The board] */
surface = 3;        // thickness of the sheet the pieces stand on: wood veneer on acrylic, or acrylic
surface_edge = 4;   // how far the sheet lies on the rails
cell_wall = 2;      // between two squares: keeps the light of one out of the next
deck = 2;           // floor of a cell
chamber = 10;       // from the floor to the sheet: the light spreads over the square
light_hole = 9;     // a WS2812B or APA102 looks through from below
reed_length = 15;   // glass body and a little more
reed_width = 2.6;   // groove for a 2 mm glass
reed_rib = 6;       // the rib that holds the reed right under the sheet
reed_shift = 9;     // from the square's middle to the reed's: its dead spot must not lie under the magnet
lead_hole = 1.6;

/* [The frame] */
rail = 12;          // width of the frame
depth = 45;         // room below the deck for boards and wires
rail_screw = 3.2;
step = 6;           // what tiles and bearers lie on
bearer_width = 10;
bearer_height = 12;

/* [The console] */
console_depth = 70; // along y, in front of White's first rank
console_wall = 3;
button_hole = 24;   // a 24 mm arcade button; 16 for a metal push button
encoder_hole = 7.2;
post = 6;

/* [Hidden] */
$fn = 48;
eps = 0.01;
board = [files * square, ranks * square];
outer = [board.x + 2 * rail, board.y + 2 * rail];
height = depth + deck + chamber + surface;
screw_heights = [-depth * 0.8, -depth * 0.55];

// visible area, module, distance of the screws, offset of the visible area from the module's middle
function glass_window(name) =
    name == "oled-0.96" ? [23, 12.5] : name == "oled-1.3" ? [31, 16.5] : name == "oled-2.42" ? [57, 30] : [79, 22];
function glass_module(name) =
    name == "oled-0.96" ? [27.5, 28] : name == "oled-1.3" ? [35.5, 34] : name == "oled-2.42" ? [72, 43.5] : [90, 36];
function glass_screws(name) =
    name == "oled-0.96" ? [23.5, 24] : name == "oled-1.3" ? [30.5, 28.5] : name == "oled-2.42" ? [66, 37] : [84, 30];

assert(files >= 8 && files <= 9 && ranks >= 8 && ranks <= 9, "files and ranks: expected 8 or 9");
assert(reed_shift >= 7, "reed_shift: expected 7 or more, or the magnet stands over the reed's dead spot");
assert(reed_shift + reed_length / 2 < square / 2 - cell_wall, "the reed does not fit the square: expected a larger square");
assert(glass_module(glass).y < console_depth - 2 * console_wall, "the glass does not fit: expected a deeper console");

if (part == "tile") board_tile(tile.x, tile.y);
else if (part == "rail_x") rail_x();
else if (part == "rail_y") rail_y();
else if (part == "bearer") bearer();
else if (part == "console") only(third) console();
else if (part == "lid") only(third) lid();
else if (part == "assembly") assembly();
else assert(false, str("part = ", part, ": expected assembly, tile, bearer, rail_x, rail_y, console or lid"));

// One square, its corner at the origin.
module cell() {
    difference() {
        union() {
            difference() {
                cube([square, square, deck + chamber]);
                translate([cell_wall / 2, cell_wall / 2, deck])
                    cube([square - cell_wall, square - cell_wall, chamber + eps]);
            }
            reed_seat();
        }
        if (lights) translate([square * 0.3, square * 0.7, -eps]) cylinder(d = light_hole, h = deck + 2 * eps);
        reed_cuts();
    }
}

// The reed lies on a rib under the sheet, on the diagonal towards h1, its middle away from the square's.
module reed_seat() {
    on_diagonal() translate([-reed_length / 2 - 3, -reed_rib / 2, 0]) cube([reed_length + 6, reed_rib, deck + chamber]);
}

module reed_cuts() {
    on_diagonal() {
        translate([-reed_length / 2 - 3 - eps, -reed_width / 2, deck + chamber - reed_width])
            cube([reed_length + 6 + 2 * eps, reed_width, reed_width + eps]);
        for (end = [-1, 1]) translate([end * (reed_length / 2 + 1.5), 0, -eps])
            cylinder(d = lead_hole, h = deck + chamber + 2 * eps);
    }
}

module on_diagonal() {
    translate([square / 2 + reed_shift * cos(45), square / 2 - reed_shift * sin(45), 0]) rotate(-45) children(); // along its own axis: a shift across it helps nothing
}

module board_tile(columns, rows) {
    for (file = [0 : columns - 1], rank = [0 : rows - 1])
        translate([file * square, rank * square, 0]) cell();
}

// The rails carry the tiles on a step and the sheet on a second one. They may as well be strips of wood.
module rail_profile(length, from, to) {
    difference() {
        translate([0, 0, -depth]) cube([length, rail, height]);
        // the sheet's place
        translate([from - surface_edge, rail - surface_edge, deck + chamber])
            cube([to - from + 2 * surface_edge, surface_edge + eps, surface + eps]);
    }
    // the step the tiles and bearers lie on
    translate([from, rail - eps, -bearer_height - 4]) cube([to - from, step, 4]);
}

module rail_x() {
    difference() {
        rail_profile(outer.x, rail, outer.x - rail);
        // screws into the ends of the other two
        for (x = [rail / 2, outer.x - rail / 2], z = screw_heights)
            translate([x, -eps, z]) rotate([-90, 0, 0]) cylinder(d = rail_screw, h = rail + 2 * eps);
        // the wires to the console
        translate([outer.x / 2 - 30, -eps, -depth + 8]) cube([60, rail + step + 2 * eps, 15]);
    }
}

module rail_y() {
    difference() {
        rail_profile(board.y, 0, board.y);
        for (end = [-eps, board.y - 25], z = screw_heights)
            translate([end, rail / 2, z]) rotate([0, 90, 0]) cylinder(d = rail_screw - 0.8, h = 25 + eps);
    }
}

// Lies under a seam of the tiles and under both edges, from rail to rail.
module bearer() {
    translate([0, -bearer_width / 2, -bearer_height]) cube([board.x, bearer_width, bearer_height]);
}

// In front of White: the glass in the middle, roll at the right hand, the encoder at the left.
module console() {
    width = outer.x;
    window = glass_window(glass);
    screws = glass_screws(glass);
    middle = [width / 2, console_depth / 2];
    difference() {
        translate([0, 0, -depth]) cube([width, console_depth, height]);
        translate([console_wall, console_wall, -depth - eps])
            cube([width - 2 * console_wall, console_depth - 2 * console_wall, height - console_wall + eps]);
        translate([middle.x - window.x / 2, middle.y - window.y / 2, 0]) chamfered(window);
        translate([width * 0.8, middle.y, 0]) cylinder(d = button_hole, h = height);
        if (encoder) translate([width * 0.2, middle.y, 0]) cylinder(d = encoder_hole, h = height);
        // the wires come through the rail
        translate([width / 2 - 30, console_depth - console_wall - eps, -depth + 8])
            cube([60, console_wall + 2 * eps, 15]);
        // the Pi's supply and network
        translate([-eps, 15, -depth - eps]) cube([console_wall + 2 * eps, 40, 18]);
    }
    translate([middle.x, middle.y, deck + chamber + surface - console_wall - 4])
        for (x = [-1, 1], y = [-1, 1]) translate([x * screws.x / 2, y * screws.y / 2, 0]) stud(4);
}

module only(which) {
    wide = outer.x / 3;
    if (which == "all") children();
    else intersection() {
        children();
        translate([(which == "left" ? 0 : which == "middle" ? 1 : 2) * wide, -1, -depth - 10])
            cube([wide, console_depth + 2, height + 20]);
    }
}

module chamfered(window) {
    top = deck + chamber + surface;
    translate([0, 0, top - console_wall - eps]) hull() {
        cube([window.x, window.y, eps]);
        translate([-2, -2, console_wall + 2 * eps]) cube([window.x + 4, window.y + 4, eps]);
    }
}

module stud(length) {
    difference() {
        cylinder(d = post, h = length + eps);
        translate([0, 0, -eps]) cylinder(d = 2.2, h = length);
    }
}

// Closes the console from below and carries Pi and Pico (58 x 49 and 47 x 11.4 between screws).
module lid() {
    width = outer.x;
    translate([0, 0, -depth - console_wall]) {
        difference() {
            cube([width, console_depth, console_wall]);
            // air for the Pi
            for (x = [36 : 8 : 84]) translate([x, 20, -eps]) cube([4, console_depth - 40, console_wall + 2 * eps]);
        }
        translate([30, 8, console_wall - eps]) for (x = [0, 58], y = [0, 49]) translate([x, y, 0]) stud(5);
        translate([width - 110, 20, console_wall - eps]) for (x = [0, 47], y = [0, 11.4]) translate([x, y, 0]) stud(5);
    }
}

module assembly() {
    color("Peru") {
        translate([-rail, -rail, 0]) rail_x();
        translate([board.x + rail, board.y + rail, 0]) rotate(180) rail_x();
        translate([board.x + rail, 0, 0]) rotate(90) rail_y();
        translate([-rail, board.y, 0]) rotate(-90) rail_y();
        for (y = [bearer_width / 2, tile.y * square, board.y - bearer_width / 2]) translate([0, y, 0]) bearer();
    }
    color("WhiteSmoke") board_tile(files, ranks);
    color("SaddleBrown") translate([-rail, -rail - console_depth, 0]) console();
    color("DimGray") translate([-rail, -rail - console_depth, 0]) lid();
    // the sheet, cut away at one corner so that the cells are seen
    color("Sienna") translate([-surface_edge, -surface_edge, deck + chamber]) {
        cube([3 * square + surface_edge, board.y + 2 * surface_edge, surface]);
        cube([board.x + 2 * surface_edge, 3 * square + surface_edge, surface]);
    }
    color("BurlyWood") translate([0, 0, deck + chamber + surface]) light_squares(0.2);
}

module light_squares(thick) {
    for (file = [0 : files - 1], rank = [0 : ranks - 1])
        if ((file + rank) % 2 == 1 && (file < 3 || rank < 3))
            translate([file * square, rank * square, 0]) cube([square, square, thick]);
}
