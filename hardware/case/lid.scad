// Closes the console from below and carries the boards: unscrew it and everything comes out with it. Its thirds overlap
// under columns that belong to one third of the console each, beside the console's joints: so each ties the other.

module lid(which = "all") difference() {
    union() {
        lid_plate(which);
        lid_studs(which);
    }
    screw_holes(lid_screws);
    screw_holes(on_lid, head_room = 5);
    lid_vents();
    cable_tie_slots();
}

module lid_plate(which) translate([0, 0, bottom]) {
    left = which == "middle" || which == "right";
    right = which == "left" || which == "middle";
    from = left ? lid_start(which) + lid_lap / 2 : 0;
    to = right ? lid_end(which) - lid_lap / 2 : outer.x;
    translate([from, 0, 0]) cube([to - from, console_depth, lid_thickness]);
    // the lower layer of a lap belongs to the left of two, the upper one to the right
    if (right) translate([to - eps, 0, 0]) cube([lid_lap - 0.3, console_depth, lid_thickness / 2]);
    if (left) translate([from - lid_lap + 0.3, 0, lid_thickness / 2 + 0.1]) cube([lid_lap - 0.3 + eps, console_depth, lid_thickness / 2 - 0.1]);
    if (which == "all") for (seam = lid_seams) translate([seam, 0, 0]) cube([eps, console_depth, lid_thickness]);
}

module lid_studs(which) {
    studs = [for (s = on_lid) [s[2].x, s[2].y, s[1] == "M2" ? 5 : 6]];
    rests = [for (rest = pico ? pico_rests : []) [pico_at.x + rest.x, pico_at.y + rest.y, 5]];
    for (stud = concat(studs, rests)) if (which == "all" || (stud.x > lid_start(which) && stud.x < lid_end(which)))
        translate([stud.x, stud.y, rim - eps]) cylinder(d = stud.z, h = stud_height + eps);
}

// Air for the computer.
module lid_vents() {
    size = board_size(computer);
    for (x = [12 : 8 : 52]) translate([computer_at.x + x, computer_at.y + size.y * 0.25, bottom - eps])
        cube([3, size.y * 0.5, lid_thickness + 2 * eps]);
}

// Where cables come in they are tied down, so that no plug is pulled.
module cable_tie_slots() for (x = [34, 46], y = [notch_y - 4, notch_y + notch.x])
    translate([x, y, bottom - eps]) cube([5, 2.5, lid_thickness + 2 * eps]);
