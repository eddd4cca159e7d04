// Everything in its place, to look at and to test.

wood = ["Peru", "BurlyWood"];
first_tiles = [for (x = [0 : tile.x : files - 1], y = [0 : tile.y : ranks - 1]) [x, y]];

module tiles_in_place() for (at = first_tiles) named(str("tile ", at), "WhiteSmoke")
    translate([at.x * square, at.y * square, 0]) board_tile(min(tile.x, files - at.x), min(tile.y, ranks - at.y));

module rails_in_place(away = 0) for (which = ["first", "second"]) {
    shade = which == "first" ? wood[0] : wood[1];
    named(str("front rail ", which), shade) translate([0, -away, 0]) rail_front(which);
    named(str("back rail ", which), shade) translate([0, away, 0]) rail_back(which);
    named(str("left rail ", which), shade) translate([-away, 0, 0]) rail_left(which);
    named(str("right rail ", which), shade) translate([away, 0, 0]) rail_right(which);
}

module bearers_in_place() for (y = bearer_ys, which = ["first", "second"])
    named(str("bearer ", y, " ", which), which == "first" ? wood[0] : wood[1]) translate([0, y, 0]) bearer(which);

module console_in_place() for (which = ["left", "middle", "right"])
    named(str("console ", which), which == "middle" ? "Sienna" : "SaddleBrown") console(which);

module lid_in_place() for (which = ["left", "middle", "right"])
    named(str("lid ", which), which == "middle" ? "SlateGray" : "LightSlateGray") lid(which);

module floor_in_place() named("floor", "Tan") difference() {
    translate([-floor_edge + swell, -floor_edge + swell, bottom])
        cube([board.x + 2 * floor_edge - 2 * swell, board.y + 2 * floor_edge - 2 * swell, floor_sheet]);
    screw_holes(floor_screws, head_room = 4);
}

module sheet_in_place() named("sheet", "Sienna") translate([-surface_edge + swell, -surface_edge + swell, deck + chamber])
    cube([board.x + 2 * surface_edge - 2 * swell, board.y + 2 * surface_edge - 2 * swell, surface]);

module screws_in_place(screws) for (s = screws) named(str("screw ", s[0], " ", s[2]), "Gold") screw_body(s);

module everything() {
    tiles_in_place();
    rails_in_place();
    bearers_in_place();
    floor_in_place();
    sheet_in_place();
    translate(console_origin) {
        console_in_place();
        lid_in_place();
        electronics();
    }
    screws_in_place(all_screws);
    for (s = all_screws) echo(screw = s);
    echo(sizes = screw_sizes);
    echo(insert = [insert_length, insert_wall]);
}

// The sheet is cut away at one corner, so that the cells are seen.
module assembly() {
    rails_in_place();
    bearers_in_place();
    tiles_in_place();
    translate(console_origin) {
        console_in_place();
        lid_in_place();
        panel_bodies();
        glass_body();
        wall_bodies();
    }
    color("Sienna") translate([-surface_edge, -surface_edge, deck + chamber]) {
        cube([3 * square + surface_edge, board.y + 2 * surface_edge, surface]);
        cube([board.x + 2 * surface_edge, 3 * square + surface_edge, surface]);
    }
    color("BurlyWood") translate([0, 0, top]) light_squares(0.2);
}

module light_squares(thick) {
    for (file = [0 : files - 1], rank = [0 : ranks - 1])
        if ((file + rank) % 2 == 1 && (file < 3 || rank < 3))
            translate([file * square, rank * square, 0]) cube([square, square, thick]);
}

module exploded() {
    translate([0, 0, 130]) sheet_in_place();
    translate([0, 0, 60]) tiles_in_place();
    bearers_in_place();
    rails_in_place(40);
    translate([0, 0, -90]) floor_in_place();
    translate(console_origin + [0, -90, 0]) {
        translate([0, 0, 50]) {
            console_in_place();
            panel_bodies();
        }
        translate([0, 0, -40]) {
            lid_in_place();
            computer_body();
            if (pico) pico_body();
            if (lights) power_body();
        }
    }
}

// The console without its lid, as it is seen when the table is turned over: the boards hang where the lid holds them.
module inside() {
    console_in_place();
    electronics();
    for (s = on_lid) color("Gold") screw_body(s);
}
