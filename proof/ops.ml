(* ops.ml: what ops compute, of samples.  Not trusted: by it the finder guesses which values are equal.  Integers are extended from
   their width by their sign; floats are their bits as an f64, of which there is one nan. *)
let width = function "i1" -> 1 | "i8" -> 8 | "i16" -> 16 | "i32" -> 32 | _ -> 64
let is_float t = t = "f32" || t = "f64"
let signed t x = let s = 64 - width t in Int64.(shift_right (shift_left x s) s)
let unsigned t x = let s = 64 - width t in Int64.(shift_right_logical (shift_left x s) s)
let round t f = if t = "f32" then Int32.float_of_bits (Int32.bits_of_float f) else f
let of_float t f = if Float.is_nan f then 0x7ff8000000000000L else Int64.bits_of_float (round t f)
let to_float = Int64.float_of_bits
let bits_to_float = to_float
let bool b = if b then -1L else 0L

let literal w =
  let body, t = match String.rindex_opt w ':' with
    | Some i -> (String.sub w 0 i, String.sub w (i + 1) (String.length w - i - 1)) | None -> (w, Meaning.type_of_literal w) in
  if t = "any" || body = "undef" then None
  else if is_float t then (match body with
    | "nan" | "-nan" -> Some (of_float t nan) | _ -> if body.[0] = 'n' then None else Option.map (of_float t) (float_of_string_opt body))
  else match body with
    | "true" -> Some (-1L) | "false" -> Some 0L
    | _ -> Option.map (signed t) (match Int64.of_string_opt body with Some x -> Some x | None -> Int64.of_string_opt ("0u" ^ body))

(* x such that x * b is a, modulo 2^64, if there is one. *)
let quotient a b =
  let open Int64 in
  if b = 0L then None
  else
    let k = let rec zeros k = if logand (shift_right b k) 1L = 1L then k else zeros (k + 1) in zeros 0 in
    let b = shift_right b k in
    let rec inverse x n = if n = 0 then x else inverse (mul x (sub 2L (mul b x))) (n - 1) in
    if shift_left (shift_right a k) k <> a then None else Some (mul (shift_right a k) (inverse b 5))

let rec count x n = if x = 0L then n else count Int64.(logand x (sub x 1L)) (n + 1)
let clz t x = let rec go i = if i < 0 || Int64.(logand (shift_right_logical x i) 1L) = 1L then width t - 1 - i else go (i - 1) in go (width t - 1)
let ctz t x = let rec go i = if i = width t || Int64.(logand (shift_right_logical x i) 1L) = 1L then i else go (i + 1) in go 0
let bswap t x = let n = width t / 8 in
  let rec go i acc = if i = n then acc else go (i + 1) Int64.(logor (shift_left acc 8) (logand (shift_right_logical x (8 * i)) 255L)) in go 0 0L
(* The high half of a product: of halves of 32 bits. *)
let umulh64 a b =
  let open Int64 in
  let lo x = logand x 0xffffffffL and hi x = shift_right_logical x 32 in
  let p = mul (lo a) (lo b) and q = mul (hi a) (lo b) and r = mul (lo a) (hi b) in
  let mid = add (add (hi p) (lo q)) (lo r) in
  add (add (mul (hi a) (hi b)) (hi q)) (add (hi r) (hi mid))
let mulh64 a b = Int64.(sub (sub (umulh64 a b) (if a < 0L then b else 0L)) (if b < 0L then a else 0L))

exception Opaque       (* what is not computed *)
exception Traps

(* types: of the result, and of the operands. *)
let eval op types (args : int64 array) : int64 =
  let t = List.hd types and a i = args.(i) in
  let u = match types with _ :: u :: _ -> u | _ -> t in
  let w = width t in
  let int x = signed t x and shift () = Int64.to_int (unsigned t (a 1)) land (w - 1) in
  let flt f = of_float t (f (to_float (a 0)) (to_float (a 1))) and flt1 f = of_float t (f (to_float (a 0))) in
  let scmp f = bool (f (compare (a 0) (a 1)) 0) and ucmp f = bool (f (Int64.unsigned_compare (unsigned u (a 0)) (unsigned u (a 1))) 0) in
  let fcmp (f : float -> float -> bool) = bool (f (to_float (a 0)) (to_float (a 1))) in
  let two_to n = 2.0 ** float_of_int n in
  let to_whole saturate signed_ f =
    let lo, hi = if signed_ then (-. two_to (w - 1), two_to (w - 1)) else (0.0, two_to w) in
    let g = Float.trunc f in
    if Float.is_nan f then (if saturate then 0L else raise Traps)
    else if g < lo then (if saturate then if signed_ then int Int64.(shift_left 1L (w - 1)) else 0L else raise Traps)
    else if g >= hi then (if saturate then if signed_ then Int64.(lognot (shift_left (-1L) (w - 1))) else -1L else raise Traps)
    else int (if g >= two_to 63 then Int64.(add (of_float (g -. two_to 63)) min_int) else Int64.of_float g) in
  let min_max nan_wins greater =
    let x = to_float (a 0) and y = to_float (a 1) in
    if Float.is_nan x || Float.is_nan y then (if nan_wins then of_float t nan else if Float.is_nan x then of_float t y else a 0)
    else if x = 0.0 && y = 0.0 then (if Float.sign_bit x = greater then a 1 else a 0)
    else if (x < y) = greater then a 1 else a 0 in
  let of_flt = of_float in let open Int64 in
  match op with
  | "add" -> int (add (a 0) (a 1)) | "sub" -> int (sub (a 0) (a 1)) | "mul" -> int (mul (a 0) (a 1)) | "neg" -> int (neg (a 0))
  | "band" -> logand (a 0) (a 1) | "bor" -> logor (a 0) (a 1) | "bxor" -> logxor (a 0) (a 1) | "bnot" -> lognot (a 0)
  | "shl" -> int (shift_left (a 0) (shift ())) | "sar" -> int (shift_right (a 0) (shift ()))
  | "shr" -> int (shift_right_logical (unsigned t (a 0)) (shift ()))
  | "rotl" | "rotr" -> let n = shift () in let n = if op = "rotl" then n else (w - n) mod w in let x = unsigned t (a 0) in
    int (if n = 0 then x else logor (shift_left x n) (shift_right_logical x (w - n)))
  | "sdiv" | "srem" -> if a 1 = 0L || (op = "sdiv" && a 1 = -1L && neg (a 0) |> int = a 0 && a 0 <> 0L) then raise Traps
    else if a 1 = -1L then (if op = "sdiv" then int (neg (a 0)) else 0L) else int ((if op = "sdiv" then div else rem) (a 0) (a 1))
  | "udiv" | "urem" -> if a 1 = 0L then raise Traps
    else int ((if op = "udiv" then unsigned_div else unsigned_rem) (unsigned t (a 0)) (unsigned t (a 1)))
  | "bswap" -> int (bswap t (a 0)) | "clz" -> int (of_int (clz t (a 0))) | "ctz" -> int (of_int (ctz t (a 0)))
  | "popcnt" -> int (of_int (count (unsigned t (a 0)) 0))
  | "smin" -> min (a 0) (a 1) | "smax" -> max (a 0) (a 1)
  | "umin" -> if unsigned_compare (a 0) (a 1) < 0 then a 0 else a 1 | "umax" -> if unsigned_compare (a 0) (a 1) > 0 then a 0 else a 1
  | "umulh" -> if w = 64 then umulh64 (a 0) (a 1) else int (shift_right_logical (mul (unsigned t (a 0)) (unsigned t (a 1))) w)
  | "smulh" -> if w = 64 then mulh64 (a 0) (a 1) else int (shift_right (mul (a 0) (a 1)) w)
  | "eq" -> bool (a 0 = a 1) | "ne" -> bool (a 0 <> a 1)
  | "slt" -> scmp ( < ) | "sle" -> scmp ( <= ) | "sgt" -> scmp ( > ) | "sge" -> scmp ( >= )
  | "ult" -> ucmp ( < ) | "ule" -> ucmp ( <= ) | "ugt" -> ucmp ( > ) | "uge" -> ucmp ( >= )
  | "fadd" -> flt ( +. ) | "fsub" -> flt ( -. ) | "fmul" -> flt ( *. ) | "fdiv" -> flt ( /. )
  | "fneg" -> flt1 Float.neg | "fabs" -> flt1 Float.abs | "fsqrt" -> flt1 sqrt | "ffloor" -> flt1 floor | "fceil" -> flt1 ceil
  | "ftrunc" -> flt1 Float.trunc
  | "fnearest" -> flt1 (fun f -> if Float.abs f >= 4503599627370496.0 || Float.is_nan f then f else
      let g = Float.abs f in let r = (g +. 4503599627370496.0) -. 4503599627370496.0 in Float.copy_sign r f)
  | "fminimum" -> min_max true false | "fmaximum" -> min_max true true | "fminnum" -> min_max false false | "fmaxnum" -> min_max false true
  | "copysign" -> if Float.is_nan (bits_to_float (a 0)) || Float.is_nan (bits_to_float (a 1)) then raise Opaque else flt Float.copy_sign
  | "feq" -> fcmp ( = ) | "fne" -> fcmp ( <> ) | "flt" -> fcmp ( < ) | "fle" -> fcmp ( <= ) | "fgt" -> fcmp ( > ) | "fge" -> fcmp ( >= )
  | "select" -> if a 0 <> 0L then a 1 else a 2
  | "trunc" | "sext" -> int (a 0) | "zext" -> int (unsigned u (a 0))
  | "itof" -> of_flt t (Int64.to_float (a 0)) | "utof" when width u < 64 -> of_flt t (Int64.to_float (unsigned u (a 0)))
  | "ftoi" -> to_whole false true (bits_to_float (a 0)) | "ftou" -> to_whole false false (bits_to_float (a 0))
  | "ftoi_sat" -> to_whole true true (bits_to_float (a 0)) | "ftou_sat" -> to_whole true false (bits_to_float (a 0))
  | "fpromote" | "fdemote" -> of_flt t (bits_to_float (a 0))
  | "bitcast" when not (is_float t || is_float u) -> a 0 | "copy" -> a 0 | "ptradd" -> add (a 0) (a 1)
  | _ -> raise Opaque
