// Screws: where they are is said once, as a list; holes, pictures and the test are made of it.
// A screw: [name, size, under the head, direction it is driven in, through how much, length, depth of what holds it]

function screw(name, size, at, way, through, length, holds = pocket) = [name, size, at, way, through, length, holds];
function moved(screws, by) = [for (s = screws) screw(s[0], s[1], s[2] + by, s[3], s[4], s[5], s[6])];
function in_insert(s) = s[1] == "M3";

// Cuts the hole through one part, the hole that holds it in the next, and room for the head.
module screw_holes(screws, head_room = 12) for (s = screws) along(s) {
    size = entry(screw_sizes, s[1]);
    translate([0, 0, -head_room]) cylinder(d = size[4], h = head_room + eps);
    cylinder(d = size[1], h = s[4] + eps);
    translate([0, 0, s[4]]) cylinder(d = size[5], h = s[6]);
}

module screw_body(s) along(s) {
    size = entry(screw_sizes, s[1]);
    translate([0, 0, -size[3]]) cylinder(d = size[2], h = size[3]);
    cylinder(d = size[0], h = s[4]);
    translate([0, 0, s[4] - eps]) cylinder(d = in_insert(s) ? size[0] : size[5] - 0.1, h = s[5] - s[4] + eps);
}

module along(s) translate(s[2]) rotate([0, acos(s[3].z), atan2(s[3].y, s[3].x)]) children();

// --- all of them ---
function lap_screws_x(name, y, way) = [for (x = [-6, 6], z = lap_heights)
    screw(name, "M3", [rail_seam + x, y, z], [0, way, 0], rail - rail_tongue, 8, 6.2)];
front_lap_screws = lap_screws_x("front rail lap", 0, -1);
back_lap_screws = lap_screws_x("back rail lap", board.y, 1);
function lap_screws_y(name, x, way) = [for (y = [-6, 6], z = lap_heights)
    screw(name, "M3", [x, side_seam + y, z], [way, 0, 0], rail - rail_tongue, 8, 6.2)];
left_lap_screws = lap_screws_y("left rail lap", 0, -1);
right_lap_screws = lap_screws_y("right rail lap", board.x, 1);

front_corner_screws = [for (x = [-rail / 2, board.x + rail / 2], z = corner_heights)
    screw("front corner", "M3", [x, -rail + 3.5, z], [0, 1, 0], rail - 3.5, 16)];
back_corner_screws = [for (x = [-rail / 2, board.x + rail / 2], z = corner_heights)
    screw("back corner", "M3", [x, board.y + rail - 3.5, z], [0, -1, 0], rail - 3.5, 16)];

floor_places = [0.04, 0.25, 0.75, 0.96];
floor_screws = [
    for (part = floor_places, y = [-floor_edge / 2, board.y + floor_edge / 2])
        screw("floor", "M3", [part * board.x, y, bottom], [0, 0, 1], floor_sheet + 0.2, 10),
    for (part = floor_places, x = [-floor_edge / 2, board.x + floor_edge / 2])
        screw("floor", "M3", [x, part * board.y, bottom], [0, 0, 1], floor_sheet + 0.2, 10)];

bearer_screws = [for (y = bearer_ys, x = [-8, 8])
    screw("bearer lap", "M3", [bearer_seam + x, y, -bearer_height], [0, 0, 1], bearer_height / 2, 10, bearer_height / 2)];

// In the console's own coordinates. The rail is screwed to it from inside the board.
rail_console_screws = [for (x = column_xs)
    screw("console to rail", "M3", [x, console_depth + rail - 4, rail_screw_z], [0, -1, 0], rail - 4, 16)];
lid_screws = [for (x = column_xs, y = [edge_strip - column / 2, console_depth - edge_strip + column / 2])
    screw("lid", "M3", [x, y, bottom], [0, 0, 1], lid_thickness, 10)];
flange_middle = console_wall + flange_width / 2;
flange_screws = [for (x = [console_third, 2 * console_third], place = [
        [flange_middle, bottom + 17], [console_depth - flange_middle, bottom + 17],
        [console_depth * 0.3, plate - flange_width / 2], [console_depth * 0.7, plate - flange_width / 2]])
    screw("console joint", "M3", [x - flange[0], place[0], place[1]], [1, 0, 0], flange[0], 10, flange[1] + 1)];

function board_screws(name, size, studs, at, thick) = [for (hole = studs)
    screw(name, size, [at.x + hole.x, at.y + hole.y, rim + stud_height + thick], [0, 0, -1], thick, 8, 8)];
computer_screws = board_screws("computer", "M2.5", computer_studs, computer_at, board_thickness);
pico_screws = pico ? board_screws("pico", "M2", pico_studs, pico_at, pico_thickness) : [];
power_screws = lights ? board_screws("power board", "M2", power_studs, power_at, power_thickness) : [];
glass_module_screws = [for (x = [-1, 1], y = [-1, 1]) screw("glass", glass_screw(glass),
    [glass_at.x + x * glass_screws(glass).x / 2, glass_at.y + y * glass_screws(glass).y / 2, plate - glass_rise(glass) - glass_board_thickness],
    [0, 0, 1], glass_board_thickness, glass_screw(glass) == "M2" ? 5 : 6, glass_rise(glass) + console_wall - 1)];

on_lid = concat(computer_screws, pico_screws, power_screws);
in_console = concat(rail_console_screws, lid_screws, flange_screws, on_lid, glass_module_screws);
in_board = concat(front_lap_screws, back_lap_screws, left_lap_screws, right_lap_screws, front_corner_screws,
    back_corner_screws, floor_screws, bearer_screws);
all_screws = concat(in_board, moved(in_console, console_origin));
