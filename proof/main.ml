(* main.ml: check [--time] [--rules] [--lemmas] TRACE TEXT...: checks that each text is that of the functions of the trace.  Writes a
   line for each text, and one for each function that is not accepted; the exit status is 1 if there is one.  --rules: the texts
   were made with rules; --lemmas: also writes the lemmas that are used. *)
open Files

let failed = ref false and lemmas = Hashtbl.create 64
let complain format = Printf.ksprintf (fun s -> failed := true; print_endline s) format

let check_text timed rules path traces text =
  let start = Sys.time () and accepted = ref 0 and phis = ref 0 in
  let texts = Reader.texts (lines text) in
  if String.concat "" (List.map Reader.print_text texts) <> text then complain "%s: not read as it is" path;
  if List.length texts <> List.length traces then complain "%s: other functions" path
  else List.iter2 (fun trace (t : Reader.text) ->
    List.iter (fun (b : Reader.text_block) ->
      List.iter (fun (i : Reader.inst) -> if i.op = "phi" then incr phis) b.insts) t.body;
    if rules then (match Check.with_rules (fun l -> Hashtbl.replace lemmas l ()) trace t with
      | exception (Reader.Wrong why | Failure why | Invalid_argument why) -> complain "%s: %s: %s" path t.name why
      | None -> incr accepted
      | Some why -> complain "%s: %s: %s" path t.name why)
    else match Check.pair trace t with
    | exception (Reader.Wrong why | Failure why | Invalid_argument why) -> complain "%s: %s: %s" path t.name why
    | p -> match Check.verdict p with
      | None -> incr accepted
      | Some why -> complain "%s: %s: %s" path t.name (Check.show p why)) traces texts;
  Printf.printf "%s: %d of %d functions accepted, %d phis%s\n%!" path !accepted (List.length texts) !phis
    (if timed then Printf.sprintf ", %.1f s" (Sys.time () -. start) else "")

let check arguments = match List.partition (String.starts_with ~prefix:"--") arguments with
  | options, trace :: texts ->
    let has o = List.mem ("--" ^ o) options in
    let text = read trace in
    let traces = Reader.traces (lines text) in
    if String.concat "" (List.map Reader.print_trace traces) <> text then complain "%s: not read as it is" trace;
    List.iter (fun path -> check_text (has "time") (has "rules") path traces (read path)) texts;
    if has "lemmas" then Hashtbl.iter (fun l () -> print_endline ("lemma: " ^ l)) lemmas;
    if !failed then exit 1
  | _ -> prerr_endline "usage: check [--time] [--rules] [--lemmas] TRACE TEXT..."; exit 2

let () =
  try check (List.tl (Array.to_list Sys.argv)) with
  | Reader.Wrong why | Failure why | Invalid_argument why | Sys_error why -> prerr_endline why; exit 2
