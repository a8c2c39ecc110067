(* reader.ml: reads traces (docs/trace.md) and texts (docs/text.md).
   This file is trusted.  It can print what it has read: main.ml refuses what is not printed as it was, byte by byte. *)
exception Wrong of string
let wrong format = Printf.ksprintf (fun s -> raise (Wrong s)) format
let get table k default = Option.value ~default (Hashtbl.find_opt table k)

(* ---- Words *)

(* The position after the quoted string that starts at i. *)
let rec unquoted s i = match s.[i + 1] with
  | '"' -> i + 2
  | '\\' -> unquoted s (i + 2)
  | _ -> unquoted s (i + 1)
  | exception Invalid_argument _ -> wrong "quotes are not closed: %s" s

(* The position after the word that starts at i; `ends` ends it, except in quotes and braces. *)
let word_end s ends i =
  let rec go i deep =
    if i >= String.length s then i
    else match s.[i] with
      | '"' -> go (unquoted s i) deep
      | '{' -> go (i + 1) true
      | '}' -> go (i + 1) false
      | c when not deep && String.contains ends c -> i
      | _ -> go (i + 1) deep in
  go i false

let rec until ends = function w :: r when not (ends w) -> let a, b = until ends r in (w :: a, b) | l -> ([], l)
let split_at n l =
  if List.length l < n then wrong "%d words expected" n
  else (List.filteri (fun i _ -> i < n) l, List.filteri (fun i _ -> i >= n) l)

(* ---- Traces: lines of words *)

type trace = string list array     (* of one function *)

let split line =
  let rec go i =
    if i >= String.length line then []
    else let e = word_end line " " i in String.sub line i (e - i) :: go (e + 1) in
  if String.length line > 1 && String.sub line 0 2 = "--" then [ line ] else go 0

let is_comment w = String.length w > 1 && String.sub w 0 2 = "--"
let is_head = function "F" :: _ -> true | _ -> false

(* The functions of a trace; what precedes the first belongs to it. *)
let traces lines =
  let add (l, fs) line =
    let words = split line in
    if is_head words && List.exists is_head l then ([ words ], l :: fs) else (words :: l, fs) in
  let l, fs = List.fold_left add ([], []) lines in
  List.rev_map (fun l -> Array.of_list (List.rev l)) (l :: fs)

let without_comments (t : trace) : trace = Array.map (fun l -> List.filter (( <> ) "") (fst (until is_comment l))) t

let print_trace t = String.concat "" (List.map (fun l -> String.concat " " l ^ "\n") (Array.to_list t))

(* ---- Texts *)

type inst = {
  result : (string * string) option;          (* name and type *)
  op : string;
  var : string option;                        (* of a phi, or of the copy that a write made *)
  data : string option;                       (* @name or {data} *)
  args : string list;                         (* of a switch: the value and the keys *)
  targets : string list;                      (* of a phi: the predecessors *)
  bracket : bool;                             (* [targets] *)
  tail : string }                             (* position, comment *)
type text_block = { label : string; unreachable : bool; preds : string list; insts : inst list }
type text = { name : string; parameters : (string * string) list; returns : string option; body : text_block list }

(* Words, and the characters of `ends`; a ':' that ends a word is apart.  ` @ ` and ` -- ` start the tail. *)
let tokens ends line from =
  let rec go i acc =
    if i >= String.length line then (List.rev acc, "")
    else if line.[i] = ' ' then go (i + 1) acc
    else if String.contains ends line.[i] then go (i + 1) (String.make 1 line.[i] :: acc)
    else
      let e = word_end line (" " ^ ends) i in
      let w = String.sub line i (e - i) in
      let n = String.length w - 1 in
      if w = "@" || w = "--" then (List.rev acc, String.sub line (i - 1) (String.length line - i + 1))
      else if w.[n] = ':' then go e (":" :: String.sub w 0 n :: acc)
      else go e (w :: acc) in
  go from []

(* a, b;  [a: b, c: d];  a, [b, c] *)
let rec listed = function
  | [ a ] -> [ a ] | a :: "," :: r -> a :: listed r | [] -> [] | a :: _ -> wrong "',' expected after %s" a
let rec pairs = function
  | [ "]" ] -> ([], []) | "," :: r -> pairs r
  | a :: ":" :: b :: r -> let l, k = pairs r in (a :: l, b :: k)
  | _ -> wrong "pairs expected"
let bracketed l = match until (( = ) "[") l with
  | [], [] -> ([], [], false)
  | l, [] -> (listed l, [], false)
  | l, _ :: r -> (listed (fst (split_at (max 0 (List.length l - 1)) l)), listed (fst (until (( = ) "]") r)), true)

let read_inst line =
  let all, tail = tokens ",[]" line 2 in
  let result, rest = match all with n :: ":" :: t :: "=" :: r -> (Some (n, t), r) | r -> (None, r) in
  let op, rest = match rest with op :: r -> (op, r) | [] -> wrong "op expected: %s" line in
  let data, rest = match rest with d :: r when d.[0] = '@' || d.[0] = '{' -> (Some d, r) | r -> (None, r) in
  let i = { result; op; var = None; data; args = []; targets = []; bracket = false; tail } in
  match op, rest with
  | "phi", "[" :: r -> let targets, args = pairs r in { i with targets; args }
  | "phi", v :: "[" :: r -> let targets, args = pairs r in { i with var = Some v; targets; args }
  | "copy", [ v; a ] -> { i with var = Some v; args = [ a ] }
  | "jump", targets -> { i with targets }
  | "branch", [ a; ","; b; ","; c ] -> { i with args = [ a ]; targets = [ b; c ] }
  | "switch", a :: "," :: d :: "[" :: r -> let keys, l = pairs r in { i with args = a :: keys; targets = d :: l }
  | _ -> let args, targets, bracket = bracketed rest in { i with args; targets; bracket }

let commas = String.concat ", "
let print_inst i =
  let some f = function Some x -> f x | None -> "" and lead = function "" -> "" | s -> " " ^ s in
  let both l k = " [" ^ commas (List.map2 (fun a b -> a ^ ": " ^ b) l k) ^ "]" in
  some (fun (n, t) -> n ^ ": " ^ t ^ " = ") i.result ^ i.op ^ some lead i.data ^ some lead i.var ^
  (match i.op, i.args, i.targets with
   | "phi", a, t -> both t a
   | "switch", a :: keys, d :: t -> " " ^ a ^ ", " ^ d ^ both keys t
   | _, a, t -> lead (commas (if i.bracket then a @ [ "[" ^ commas t ^ "]" ] else a @ t))) ^ i.tail

let read_label line =
  let made label unreachable l = { label; unreachable; preds = listed l; insts = [] } in
  match fst (tokens "," line 0) with
  | [ label; ":" ] -> made label false [] | [ label; ":"; "unreachable" ] -> made label true []
  | label :: ":" :: "<-" :: l -> made label false l | label :: ":" :: "unreachable" :: "<-" :: l -> made label true l
  | _ -> wrong "label expected: %s" line

let read_head line =
  let rec parameters = function
    | "," :: r -> parameters r
    | ")" :: r -> ([], r)
    | n :: ":" :: t :: r -> let l, r = parameters r in ((n, t) :: l, r)
    | _ -> wrong "parameters: %s" line in
  match fst (tokens ",()" line 0) with
  | "fn" :: name :: "(" :: r -> (match parameters r with
    | parameters, [ "{" ] -> { name; parameters; returns = None; body = [] }
    | parameters, [ "->"; t; "{" ] -> { name; parameters; returns = Some t; body = [] }
    | _ -> wrong "%s" line)
  | _ -> wrong "fn expected: %s" line

(* The functions of a text, one after the other. *)
let texts lines =
  let add fs line = match fs, line with
    | _, ("" | "}") -> fs
    | ({ body = b :: bs } as f) :: fs, _ when line.[0] = ' ' ->
      { f with body = { b with insts = read_inst line :: b.insts } :: bs } :: fs
    | f :: fs, _ when String.length line < 3 || String.sub line 0 3 <> "fn " ->
      { f with body = read_label line :: f.body } :: fs
    | fs, _ -> read_head line :: fs in
  let block b = { b with insts = List.rev b.insts } in
  List.rev_map (fun f -> { f with body = List.rev_map block f.body }) (List.fold_left add [] lines)

let print_text t =
  let block b =
    b.label ^ ":" ^ (if b.unreachable then " unreachable" else "") ^ (if b.preds = [] then "" else " <- ") ^
    commas b.preds ^ "\n" ^ String.concat "" (List.map (fun i -> "  " ^ print_inst i ^ "\n") b.insts) in
  "fn " ^ t.name ^ "(" ^ commas (List.map (fun (n, ty) -> n ^ ": " ^ ty) t.parameters) ^ ")" ^
  (match t.returns with Some r -> " -> " ^ r | None -> "") ^ " {\n" ^ String.concat "" (List.map block t.body) ^ "}\n"
