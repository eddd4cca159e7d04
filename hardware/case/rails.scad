// Rails and bearers: they carry the tiles on ledges, the sheet above them and the floor below. They may as well be wood.
// Printed they are halves, held together by a lap with four screws (a bearer: two, and a foot at the joint).

module rail_front(which = "all") difference() {
    halved(which, rail_seam, "x") translate([-rail, -rail, 0]) {
        rail_bar(outer.x, rail, outer.x - rail);
        translate([rail, rail - eps, -6]) cube([board.x, ledge + eps, 6]);
    }
    screw_holes(concat(front_lap_screws, front_corner_screws, floor_screws, moved(rail_console_screws, console_origin)));
    translate(console_origin + [0, console_depth, 0]) rail_windows();
}

module rail_back(which = "all") difference() {
    halved(which, rail_seam, "x", true) translate([-rail, board.y + rail, 0]) mirror([0, 1, 0]) {
        rail_bar(outer.x, rail, outer.x - rail);
        translate([rail, rail - eps, -6]) cube([board.x, ledge + eps, 6]);
    }
    screw_holes(concat(back_lap_screws, back_corner_screws, floor_screws));
}

module rail_left(which = "all") difference() {
    halved(which, side_seam, "y") translate([-rail, board.y, 0]) rotate(-90) {
        rail_bar(board.y, 0, board.y);
        side_ledge();
    }
    screw_holes(concat(left_lap_screws, front_corner_screws, back_corner_screws, floor_screws));
}

module rail_right(which = "all") translate([board.x, 0, 0]) mirror([1, 0, 0]) rail_left(which);

// Along x, its outer face at y = 0; the sheet's place and the floor's reach from one inner corner to the other.
module rail_bar(length, from, to) difference() {
    translate([0, 0, bottom]) cube([length, rail, height]);
    translate([from - surface_edge, rail - surface_edge, deck + chamber])
        cube([to - from + 2 * surface_edge, surface_edge + eps, surface + eps]);
    translate([from - floor_edge, rail - floor_edge, bottom - eps])
        cube([to - from + 2 * floor_edge, floor_edge + eps, floor_sheet + 0.2 + eps]);
}

// Between the ledges of front and back, with a bracket for each bearer.
module side_ledge() {
    difference() {
        translate([ledge + swell, rail - eps, -6]) cube([board.y - 2 * ledge - 2 * swell, ledge + eps, 6]);
        for (y = bearer_ys) translate([board.y - y - bearer_width / 2 - swell, rail - 2 * eps, -7])
            cube([bearer_width + 2 * swell, ledge + 1, 8]);
    }
    for (y = bearer_ys) translate([board.y - y - bearer_width / 2 - 4, rail - eps, -bearer_height - 5])
        cube([bearer_width + 8, 8, 5]);
}

// The outer tongue of a lap belongs to the first half, the inner one to the second.
module halved(which, seam, axis, far = false) {
    if (which == "all") children();
    else intersection() {
        children();
        place(axis) translate([seam, 0, bottom - 1]) half_of_lap(which, far ? board.y + rail : board.x + rail, far);
    }
}

module place(axis) if (axis == "x") children(); else mirror([1, -1, 0]) children();

module half_of_lap(which, far_edge, far) {
    long = 2 * max(outer);
    first = which == "first";
    inner = rail - rail_tongue;
    translate([first ? -long - rail_lap / 2 : rail_lap / 2, -long, 0]) cube([long, 2 * long, height + 2]);
    // across the rail: the outer tongue from outside to the seam, the inner one from 0.2 inside of it
    for (side = far ? [1] : [-1]) {
        base = far ? board.y : 0;
        translate([-rail_lap / 2 + (first ? -eps : 0.2), first ? base + (far ? inner : -rail - 1) : base + (far ? -10 : -inner + 0.2), 0])
            cube([rail_lap - 0.2 + eps, first ? rail_tongue + 1 : inner + 10 - 0.2, height + 2]);
    }
}

module rail_windows() for (x = window_xs) translate([x - window.x / 2, -eps, window_z])
    cube([window.x, rail + ledge + 2 * eps, window.y]);

// Under a seam of the tiles, from rail to rail; the notches let file lines and the lights' chain pass.
module bearer(which = "all") difference() {
    union() {
        if (which != "second") bearer_first(which == "all");
        if (which != "first") bearer_second(which == "all");
    }
    for (file = [0 : files - 1]) translate([(file + 0.5) * square - 6, -bearer_width, -4]) cube([12, 2 * bearer_width, 4 + eps]);
    screw_holes(moved([bearer_screws[0], bearer_screws[1]], [0, -bearer_ys[0], 0]));
}

module bearer_first(whole) {
    translate([swell, -bearer_width / 2, -bearer_height]) {
        cube([bearer_seam - bearer_lap / 2 - swell, bearer_width, bearer_height]);
        cube([bearer_seam + bearer_lap / 2 - swell - (whole ? 0 : 0.2), bearer_width, bearer_height / 2 - (whole ? 0 : 0.1)]);
    }
    translate([bearer_seam - bearer_lap / 2 - bearer_foot, -bearer_width / 2, bottom + floor_sheet + 0.2])
        cube([bearer_foot, bearer_width, -bottom - floor_sheet - 0.2 - bearer_height / 2]);
}

module bearer_second(whole) translate([bearer_seam - bearer_lap / 2 + (whole ? 0 : 0.2), -bearer_width / 2, 0]) {
    translate([0, 0, -bearer_height / 2]) cube([board.x - bearer_seam + bearer_lap / 2 - swell - 0.2, bearer_width, bearer_height / 2]);
    translate([bearer_lap, 0, -bearer_height]) cube([board.x - bearer_seam - bearer_lap / 2 - swell - 0.2, bearer_width, bearer_height]);
}
