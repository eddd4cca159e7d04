// Tiles: a cell a square, with a hole for its light and a rib for its reed.

module board_tile(columns, rows) difference() {
    union() {
        tile_walls(columns, rows);
        each_cell(columns, rows) reed_seat();
    }
    each_cell(columns, rows) {
        if (lights) translate([square * 0.3, square * 0.7, -eps]) cylinder(d = light_hole, h = deck + 2 * eps);
        reed_cuts();
    }
}

// Smaller than its squares by what it may swell.
module tile_walls(columns, rows) difference() {
    translate([swell, swell, 0]) cube([columns * square - 2 * swell, rows * square - 2 * swell, deck + chamber]);
    each_cell(columns, rows) translate([cell_wall / 2, cell_wall / 2, deck])
        cube([square - cell_wall, square - cell_wall, chamber + eps]);
}

module each_cell(columns, rows)
    for (file = [0 : columns - 1], rank = [0 : rows - 1]) translate([file * square, rank * square, 0]) children();

// The reed lies on a rib under the sheet, on the diagonal towards h1, its middle away from the square's.
module reed_seat() {
    on_diagonal() translate([-reed_length / 2 - 1, -reed_rib / 2, 0]) cube([reed_length + 2, reed_rib, deck + chamber]);
}

module reed_cuts() {
    on_diagonal() {
        translate([-reed_length / 2 - 1 - eps, -reed_width / 2, deck + chamber - reed_depth])
            cube([reed_length + 2 + 2 * eps, reed_width, reed_depth + eps]);
        for (end = [-1, 1]) translate([end * lead_hole_at, 0, -eps])
            cylinder(d = lead_hole, h = deck + chamber + 2 * eps);
    }
}

module on_diagonal() {
    translate([square / 2 + reed_shift * cos(45), square / 2 - reed_shift * sin(45), 0]) rotate(-45) children(); // along its own axis: a shift across it helps nothing
}
