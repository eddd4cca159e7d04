// The console, in front of White: the glass in the middle, roll at the right hand, the encoder at the left, supply and
// switch in the left wall. Its thirds are bolted together by flanges, its columns hold the lid below and the rail behind.

module console(which = "all") difference() {
    third_of(which) difference() {
        union() {
            shell();
            columns();
            flanges();
        }
        panel_holes();
        left_wall_holes();
        right_wall_vents();
        screw_holes(concat(lid_screws, rail_console_screws, flange_screws));
        rail_side_windows();
    }
    if (which == "middle" || which == "all") screw_holes(glass_module_screws, head_room = 0);
}

module shell() {
    difference() {
        translate([0, 0, rim]) cube([outer.x, console_depth, top - rim]);
        translate([console_wall, console_wall, rim - eps])
            cube([outer.x - 2 * console_wall, console_depth - 2 * console_wall, plate - rim + eps]);
    }
    glass_studs();
    translate([buzzer_at.x, buzzer_at.y, plate - buzzer_ring]) difference() {
        cylinder(d = buzzer_body[0] + 5, h = buzzer_ring + eps);
        translate([0, 0, -eps]) cylinder(d = buzzer_body[0] + 0.4, h = buzzer_ring + eps);
    }
}

module glass_studs() for (s = glass_module_screws) translate([s[2].x, s[2].y, plate - glass_rise(glass)])
    cylinder(d = glass_screw(glass) == "M2" ? 4.4 : 5.4, h = glass_rise(glass) + eps);

module columns() for (x = column_xs, y = [console_wall - eps, console_depth - edge_strip])
    translate([x - column / 2, y, rim]) cube([column, column + eps, plate - rim + eps]);

// Around each joint, but for the side where the lid is: wires and plugs pass.
module flanges() for (x = [console_third, 2 * console_third]) translate([x - flange[0], console_wall - eps, rim]) difference() {
    cube([flange[0] + flange[1], console_depth - 2 * console_wall + 2 * eps, plate - rim + eps]);
    translate([-eps, flange_width, -eps])
        cube([flange[0] + flange[1] + 2 * eps, console_depth - 2 * console_wall - 2 * flange_width, plate - rim - flange_width]);
}

module panel_holes() {
    translate([middle.x, middle.y, plate]) chamfered(glass_window(glass));
    translate([button_at.x, button_at.y, plate - eps]) cylinder(d = button_hole, h = console_wall + 2 * eps);
    if (encoder) translate([encoder_at.x, encoder_at.y, plate - eps]) cylinder(d = encoder_hole, h = console_wall + 2 * eps);
    for (turn = [0 : 60 : 300]) translate([buzzer_at.x, buzzer_at.y, plate - eps]) rotate(turn)
        translate([3.5, 0, 0]) cylinder(d = 1.6, h = console_wall + 2 * eps, $fn = 16);
}

// From below to above, around its middle.
module chamfered(size) hull() {
    translate([-size.x / 2, -size.y / 2, -eps]) cube([size.x, size.y, eps]);
    translate([-size.x / 2 - 2, -size.y / 2 - 2, console_wall]) cube([size.x + 4, size.y + 4, eps]);
}

module left_wall_holes() {
    translate([-eps, notch_y, rim - eps]) cube([console_wall + 2 * eps, notch.x, notch.y + eps]);
    if (lights) {
        translate([-eps, jack_at[0], jack_at[1]]) rotate([0, 90, 0]) cylinder(d = jack_hole, h = console_wall + 2 * eps);
        translate([-eps, switch_at[0] - switch_hole.x / 2, switch_at[1] - switch_hole.y / 2])
            cube([console_wall + 2 * eps, switch_hole.x, switch_hole.y]);
    }
}

module right_wall_vents() for (y = [console_depth * 0.3 : 8 : console_depth * 0.7])
    translate([outer.x - console_wall - eps, y, bottom + 22]) cube([console_wall + 2 * eps, 3, 24]);

module rail_side_windows() for (x = window_xs) translate([x - window.x / 2, console_depth - console_wall - eps, window_z])
    cube([window.x, console_wall + 2 * eps, window.y]);

module third_of(which) {
    if (which == "all") children();
    else intersection() {
        children();
        translate([which == "left" ? -1 : (which == "middle" ? 1 : 2) * console_third + 0.1, -1, bottom - 10])
            cube([console_third + (which == "middle" ? -0.2 : 0.9), console_depth + 2, height + 20]);
    }
}
