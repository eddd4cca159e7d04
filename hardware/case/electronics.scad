// What goes into the console, as bodies: boards with their sockets, plugs with the bend of their cables, what sits in the
// panel. In the console's coordinates. `named` tells the test which body is which.

module named(name, colour) {
    if (part == "everything") echo(solid = name);
    color(colour) children();
}

module electronics() {
    computer_body();
    computer_plugs();
    if (pico) pico_body();
    if (lights) power_body();
    glass_body();
    panel_bodies();
    wall_bodies();
    cables();
}

module on_lid_at(at) translate([at.x, at.y, rim + stud_height]) children();

module board_with_holes(size, thickness, holes, hole) difference() {
    cube([size.x, size.y, thickness]);
    for (place = holes) translate([place.x, place.y, -eps]) cylinder(d = hole, h = thickness + 2 * eps);
}

module computer_body() named("computer", "ForestGreen") on_lid_at(computer_at) {
    size = board_size(computer);
    board_with_holes(size, board_thickness, computer_holes(computer), 2.7);
    for (socket = entry(sockets, computer)) on_edge(socket) translate([-socket[3] / 2, -socket[5], 0])
        cube([socket[3], 7 + socket[5], socket[4]]);
    translate([32.5 - header.x / 2, size.y - 3.5 - header.y / 2, board_thickness]) cube([header.x, header.y, pin_plugs]);
    if (computer == "pi-5") translate([6, 6, board_thickness]) cube([cooler.x - 4, size.y - 15 , cooler.z]);
    // the card, below
    translate([-2.5, size.y / 2 - 6, -1.5]) cube([14, 12, 1.5 + eps]);
}

// At the middle of a socket, its opening towards -y, on the upper side of the board.
module on_edge(socket) {
    size = board_size(computer);
    translate(socket[1] == "front" ? [socket[2], 0, board_thickness] : [size.x, socket[2], board_thickness])
        rotate(socket[1] == "front" ? 0 : 90) children();
}

module computer_plugs() {
    for (socket = entry(sockets, computer)) if (socket[0] != "") named(str("plug ", socket[0], " at ", socket[2]), "DimGray")
        on_lid_at(computer_at) on_edge(socket) translate([0, -socket[5], 0]) plug_body(socket[0], socket[4]);
    if (computer == "zero-2" && pico) named("USB adapter", "DimGray")
        translate([computer_at.x + 70, console_wall + flange_width + 1, rim + 1]) cube(adapter);
}

// Sticks out of a socket of that height towards -y; the cable bends within its room.
module plug_body(kind, socket_height) {
    size = entry(plugs, kind);
    translate([-size[0] / 2, -plug_room(kind), max(socket_height / 2 - size[1] / 2, -board_thickness - 1)])
        cube([size[0], plug_room(kind), size[1]]);
}

module pico_body() {
    named("pico", "ForestGreen") on_lid_at(pico_at) {
        board_with_holes(pico_size, pico_thickness, pico_holes, 2.1);
        for (y = [1.6, pico_size.y - 1.6]) translate([1, max(0, y - 1.3), pico_thickness]) cube([pico_size.x - 2, 2.6, pin_plugs]);
        translate([-1.3, pico_size.y / 2 - 4, pico_thickness]) cube([6, 8, 3]);
    }
    named("plug of the pico", "DimGray") on_lid_at(pico_at) translate([-1.3, pico_size.y / 2, pico_thickness]) rotate(-90)
        plug_body("micro-usb", 3);
}

module power_body() named("power board", "DarkOrange") on_lid_at(power_at) {
    board_with_holes(power_size, power_thickness, power_holes, 2.2);
    translate([5, 5, power_thickness - eps]) cube([power_size.x - 10, power_size.y - 10, power_parts]);
}

module glass_body() {
    size = glass_board(glass);
    under = plate - glass_rise(glass) - glass_board_thickness;
    pins = glass_pins(glass) > 10 ? [glass_pins(glass) / 2, 2] : [glass_pins(glass), 1];
    named("glass", "MidnightBlue") translate([glass_at.x, glass_at.y, 0]) {
        translate([-size.x / 2, -size.y / 2, under]) board_with_holes(size, glass_board_thickness,
            [for (x = [-1, 1], y = [-1, 1]) [size.x / 2 + x * glass_screws(glass).x / 2, size.y / 2 + y * glass_screws(glass).y / 2]],
            entry(screw_sizes, glass_screw(glass))[1]);
        translate([-size.x / 2 + 6, -size.y / 2 + 6, under + glass_board_thickness - eps]) cube([size.x - 12, size.y - 12, glass_rise(glass)]);
        translate([-size.x / 2 + 6, -size.y / 2 + 6, under - glass_back]) cube([size.x - 12, size.y - 12, glass_back + eps]);
    }
    named("sight of the glass", "LightSkyBlue") translate([glass_at.x, glass_at.y, plate] + concat(glass_offset(glass) + glass_shift - glass_active(glass) / 2, 0))
        cube(concat(glass_active(glass), console_wall));
    named("plug of the glass", "DimGray") translate([glass_at.x - pins.x * 1.27, glass_at.y + size.y / 2 - pins.y * 2.54 - 0.3, under - pin_plugs])
        cube([pins.x * 2.54, pins.y * 2.54, pin_plugs]);
}

module panel_bodies() {
    named("roll button", "Crimson") translate([button_at.x, button_at.y, 0]) {
        translate([0, 0, plate - button_body[1]]) cylinder(d = button_body[0], h = button_body[1]);
        translate([0, 0, plate - eps]) cylinder(d = button_hole - 0.4, h = console_wall + 8);
        translate([0, 0, top]) cylinder(d = button_hole + 5, h = 3);
    }
    if (encoder) named("encoder", "Silver") translate([encoder_at.x, encoder_at.y, 0]) {
        translate([-encoder_body.x / 2, -encoder_body.y / 2, plate - encoder_body.z]) cube(encoder_body);
        translate([0, 0, plate - eps]) cylinder(d = 7, h = console_wall + 5);
        translate([0, 0, top + 2]) cylinder(d = 18, h = 14);
    }
    named("buzzer", "Black") translate([buzzer_at.x, buzzer_at.y, plate - buzzer_body[1] - 6])
        cylinder(d = buzzer_body[0], h = buzzer_body[1] + 6);
}

module wall_bodies() if (lights) {
    named("switch", "Black") {
        translate([-switch_frame.z, switch_at[0] - switch_frame.x / 2, switch_at[1] - switch_frame.y / 2])
            cube([switch_frame.z, switch_frame.x, switch_frame.y]);
        translate([-eps, switch_at[0] - 9.4, switch_at[1] - 6.4]) cube([console_wall + switch_depth, 18.8, 12.8]);
    }
    named("DC socket", "Black") translate([0, jack_at[0], jack_at[1]]) rotate([0, 90, 0]) {
        translate([0, 0, -jack_frame[1]]) cylinder(d = jack_frame[0], h = jack_frame[1]);
        translate([0, 0, -eps]) cylinder(d = jack_hole - 0.3, h = console_wall + 1);
        translate([0, 0, console_wall]) cylinder(d = max(jack_hole, jack_body[0]), h = jack_body[1]);
    }
}

// What comes in from the board, and from outside.
module cables() {
    for (x = window_xs) named(str("lines at ", x), "Gray") translate([x - window.x / 2 + 2, console_depth - 12, window_z + 2])
        cube([window.x - 4, rail + 24, window.y - 4]);
    named("cables from outside", "Gray") translate([-15, notch_y + 2, rim + 0.5]) cube([40, notch.x - 4, notch.y - 2.5]);
}
