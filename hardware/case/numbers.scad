// The numbers that drawing and drilling template are made of: [what for, middle, diameter or size], from the left and the
// lower edge of each face as it is seen from where one drills (the left wall: y from White's side).

module numbers() {
    echo(board = board);
    echo(square = square);
    echo(rail_width = rail);
    echo(console_seams = [console_third, 2 * console_third]);
    echo(panel_size = [outer.x, console_depth]);
    echo(panel = concat(
        [["glass", middle, glass_window(glass)], ["roll", button_at, button_hole]],
        encoder ? [["encoder", encoder_at, encoder_hole]] : [],
        [for (turn = [0 : 60 : 300]) ["", buzzer_at + 3.5 * [cos(turn), sin(turn)], 1.6]],
        [for (s = glass_module_screws) ["", [s[2].x, s[2].y], entry(screw_sizes, s[1])[5]]]));
    echo(wall_size = [console_depth, top - rim]);
    echo(wall = concat([["cables", [notch_y + notch.x / 2, notch.y / 2], notch]], !lights ? [] : [
        ["5 V", [jack_at[0], jack_at[1] - rim], jack_hole], ["switch", [switch_at[0], switch_at[1] - rim], switch_hole]]));
    echo(lid = concat(
        [for (s = lid_screws) ["", [s[2].x, s[2].y], entry(screw_sizes, s[1])[1]]],
        [for (s = on_lid) ["", [s[2].x, s[2].y], entry(screw_sizes, s[1])[5]]],
        [["computer", computer_at + board_size(computer) / 2, board_size(computer)]],
        pico ? [["Pico", pico_at + pico_size / 2, pico_size]] : [],
        lights ? [["power board", power_at + power_size / 2, power_size]] : []));
    echo(rail_size = [outer.x, height]);
    echo(rail = concat(
        [for (x = window_xs) ["wires", [x, window_z + window.y / 2 - bottom], window]],
        [for (s = rail_console_screws) ["", [s[2].x, s[2].z - bottom], entry(screw_sizes, s[1])[1]]],
        [for (s = front_corner_screws) ["", [s[2].x + rail, s[2].z - bottom], entry(screw_sizes, s[1])[1]]]));
}
