(* files.ml: files as lines. *)
let read path =
  let file = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in file) (fun () -> really_input_string file (in_channel_length file))
let lines s = match List.rev (String.split_on_char '\n' s) with "" :: r -> List.rev r | r -> List.rev r
