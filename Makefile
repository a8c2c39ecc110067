# make builds under $B; there is no configure step.
#
#   make                    the Lua module
#   make lib                the C library and an example that uses it
#   make quick              the module, fast, in build/quick, to try a change;
#                           SPECS=spec/construct: runs these with it
#   make demo               shows what phial does
#   make test               the specs; SPECS=spec/construct: some of them;
#                           LONG=1: with larger inputs; RUNS=1000: more cases
#   make check              lint, layers, the specs, also under sanitizers, hunters, pace
#   make trust MINUTES=60   each hunter for so long: docs/trust.md
#   make proof              proves the checker in proof/, and runs it; COUNT=0: only builds it
#   make coverage           lines and branches that no spec runs, by gcov
#   make fuzz               makes up inputs for the C core; MINUTES=10: longer
#   make mutants            changes tokens of the core and sees whether specs fail;
#                           COUNT=10: so many; SEED=2: others; ONLY=dce.c:182: there
#   make routes             runs random programs on all routes; MINUTES=10: longer
#   make csmith             random C programs through examples/minic; MINUTES=10: longer
#   make bench              measures
#   make bless              writes the golden files anew: look at git diff
#   make playground         the playground, a page for browsers, by emscripten
#   make generate           writes anew what is made from tables and texts of src
#   make site               the manual as a site, in build/site
#   make dist                the release: a tarball and a rock, in build/dist
#   make release VERSION=1.2.3  checks, commits, makes and tags a release
#   make install PREFIX=/usr/local LIBDIR=/usr/local/lib; STRIP= leaves debug information
#   make uninstall          removes what these have installed
#   make clean, distclean   removes what was built; also what luarocks leaves
#   eval $(make -s env)     lets plain Lua find phial in this tree, and the
#                           shell the command phial
#
# LUA=lua5.5 CC=clang CFLAGS=-O2 replace the defaults, CPPFLAGS and LDFLAGS add
# to them; SAY= shows the commands.  For another machine: CC, AR, OBJCOPY, STRIP
# and LUA_CFLAGS, the flags by which headers of Lua are found.
# All processors are used, unless -j says how many jobs to run.

B = build
SAY = @echo $@;
PREFIX = /usr/local
LIBDIR = $(PREFIX)/lib
OBJCOPY = objcopy
STRIP = strip
# Loops here are short: vectors do not pay. Of debug information, lines: that of variables costs a
# fifth of the time to compile (make quick has it).
CFLAGS = -O3 -fno-tree-vectorize -g1 $(LTO)
# gcc compiles the module and the replayer as a whole, which makes an event a
# sixth cheaper (docs/performance.md says what that costs; of few parts, less).  The library is for any
# compiler and linker: its objects are ordinary ones.
LTO := $(if $(shell $(CC) -dumpspecs 2>/dev/null),-flto=auto --param lto-partitions=4)
FAT = $(if $(LTO),-ffat-lto-objects)
# The library checks what a host passes (core/ir/contract.h).  The module checks
# its arguments itself, and traces are right: both have a core of their own,
# without these checks.  In builds for tests (TRUST=) they have the library's.
TRUST = -DPH_TRUSTED
WARNINGS = -Wall -Wextra -pedantic -Wshadow -Wstrict-prototypes \
  -Wmissing-prototypes
LUA ?= $(shell sh tools/lua)
# asked for once, by the first object that needs it
LUA_CFLAGS = $(eval LUA_CFLAGS := $$(shell $$(WITH_LUA) cflags 2>/dev/null))$(LUA_CFLAGS)
WITH_LUA = CC="$(CC)" LUA="$(LUA)" sh tools/lua
DARWIN := $(filter Darwin,$(shell uname))
# older C libraries have dlopen in a library of its own
DL = $(if $(filter Linux,$(shell uname)),-ldl)
SHARED = -shared $(if $(DARWIN),-undefined dynamic_lookup,-Wl,-Bsymbolic)

objects = $(patsubst %.c,$B/%.o,$(sort $(wildcard $(1))))
CORE_O = $(call objects,src/core/*/*.c src/core/*/*/*.c)
TRUSTED_O = $(if $(TRUST),$(CORE_O:$B/%=$B/trusted/%),$(CORE_O))
BINDING_O = $(call objects,src/binding/*/*.c)
C_FILES = $(shell find src bench examples fuzz playground spec -name '*.[ch]')

VERSION := $(shell sed -n 's/^.define PH_VERSION "\(.*\)"/\1/p' src/phial/base.h)
MAJOR := $(firstword $(subst ., ,$(VERSION)))
# what changes when programs must be compiled anew
ABI := $(MAJOR)$(if $(filter 0,$(MAJOR)),.$(word 2,$(subst ., ,$(VERSION))))
SONAME = $(if $(DARWIN),libphial.$(ABI).dylib,libphial.so.$(ABI))
SOFILE = $(if $(DARWIN),libphial.$(VERSION).dylib,libphial.so.$(VERSION))
SOLINK = $(if $(DARWIN),libphial.dylib,libphial.so)

MODULE = $B/phial/core.so
LIBRARY = $B/libphial.a $B/$(SOFILE)
SUPPORT = $B/spec/support/state.so $B/spec/support/native.so
# The module with the library's checks, for specs that give it foreign text.
CHECKED = $B/checked/phial/core.so
PROGRAMS = $(EXAMPLES) $(REPLAYERS) $B/bench/rule_cost $B/spec/core
EXAMPLES = $B/examples/figure2 $B/examples/calc
REPLAYERS = $B/bench/replay $B/bench/replay_typed
SELF = $(MAKE) --no-print-directory
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell getconf _NPROCESSORS_ONLN || echo 1))
all everything:
	@$(WITH_LUA) check $(LUA_CFLAGS)
	+@$(SELF) $(JOBS) .$@
lib: ; +@$(SELF) $(JOBS) .$@
.all: $(MODULE) ; @:
.lib: $(LIBRARY) $(EXAMPLES) ; @:
# What specs and measurements need besides.
.everything: .all .lib $(PROGRAMS) $(SUPPORT) $(CHECKED) ; @:
# Nothing is optimized, and the module shares the objects of the library.
quick: ; +@$(SELF) B=build/$@ LTO= TRUST= CFLAGS='-O0 -g' $(if $(filter file,$(origin SPECS)),all,specs)

# 32-bit x86 rounds floats after each operation only where it is told to, and
# shares a function between objects, which in one object must be its own.
OLD_X86 := $(filter -m32 i386-% i486-% i586-% i686-%, \
  $(shell $(CC) -dumpmachine 2>/dev/null) $(CC) $(CFLAGS) $(CPPFLAGS))
FLOATS = $(if $(OLD_X86),-msse2 -mfpmath=sse)
ALONE = $(if $(OLD_X86),-Wl$(COMMA)--force-group-allocation)
COMMA = ,
COMPILE = $(CC) -std=c11 -fPIC -fno-semantic-interposition -fno-plt $(WARNINGS) \
  $(FLOATS) $(CFLAGS) -Isrc $(EXTRA) $(CPPFLAGS) -MMD -MP -c -o $@ $<
$B/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(SAY) $(COMPILE)
$B/trusted/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(SAY) $(COMPILE)
$(CORE_O): EXTRA = $(if $(TRUST),-fno-lto,$(FAT))
$(if $(TRUST),$(TRUSTED_O)): EXTRA = $(TRUST)
$(BINDING_O): EXTRA = $(LUA_CFLAGS) $(TRUST)
$(SUPPORT:.so=.o): EXTRA = $(LUA_CFLAGS) -fno-lto
$B/spec/support/native.o: EXTRA += -D_XOPEN_SOURCE=700 -pthread
$(call objects,bench/tools/*.c): EXTRA = $(FAT)
# What each event of construction and each rule passes through is compiled for
# speed, and so are the algorithms that bench compares construction with; the
# rest for size; between them, what each function passes through. So is what
# each value passes through that is written as C or LLVM IR.
HOT = $(addprefix src/core/,base/arena.c base/pool.c base/vec.c construct/build.c construct/fill.c) \
  $(addprefix src/core/ir/,block.c event.c func.c intern.c op.c opcheck.c uses.c value.c) \
  $(addprefix src/core/lookup/,current_def.c join_skip.c lookup.c state.c trivial_phi.c) \
  $(addprefix src/core/,ir/effects.c ir/opeval.c rules/match/match.c rules/match/matcher.c) \
  $(addprefix src/core/,rules/set/constexpr.c simplify/cse.c simplify/peephole.c) \
  $(addprefix src/core/,classical/*.c simplify/reads.c simplify/revisit.c)
WARM = $(addprefix src/core/,analysis/needed.c analysis/redundant_phi.c analysis/rpo.c \
  analysis/dom.c analysis/graph.c analysis/idf.c analysis/liveness.c analysis/escape.c \
  construct/finish.c construct/un*.c edit/dce.c rules/match/facts.c \
  simplify/fuel.c simplify/twins.c) \
  $(addprefix src/binding/,args/operand.c emit/cursor.c emit/emission.c emit/emit.c \
  emit/terminator.c methods/block.c methods/variable_access.c state/access.c state/handle.c \
  $(addprefix write/,blocks.c fill.c plan.c row.c writing.c))
AT = $(call objects,$(1)) $(patsubst $B/%,$B/trusted/%,$(call objects,$(1)))
$(call AT,$(WARM)): CFLAGS := $(CFLAGS:-O3=-O2 -fno-align-functions)
$(filter-out $(call AT,$(HOT) $(WARM)),$(CORE_O) $(TRUSTED_O) $(BINDING_O)): \
  CFLAGS := $(CFLAGS:-O3=-Os)
$(call objects,examples/c/*.c spec/c/*.c fuzz/*.c): EXTRA = -fno-lto
$B/spec/c/calls.o: EXTRA += -I$B/spec/c
$B/spec/c/calls.o: $B/spec/c/bad_calls.h
$B/spec/c/bad_calls.h: spec/c/calls.lua $(wildcard src/phial/*.h)
	@mkdir -p $(@D)
	@$(LUA) $< >$@

$(MODULE): $(BINDING_O) $(TRUSTED_O)
$(CHECKED): $(BINDING_O) $(CORE_O)
$(SUPPORT): %.so: %.o
$B/spec/support/native.so $B/spec/core: DL += -pthread
$(MODULE) $(CHECKED) $(SUPPORT):
	@mkdir -p $(@D)
	$(SAY) $(CC) $(SHARED) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(DL)

# One object, in which the symbols that no public header declares are local.
# (Where there is no objcopy they remain visible.)
$B/libphial.o: $(CORE_O)
	$(SAY) $(CC) -r -nostdlib -fno-lto $(ALONE) -o $@ $^
	@! command -v $(OBJCOPY) >/dev/null || $(OBJCOPY) --localize-hidden \
	  -R '.gnu.lto_*' -R '.gnu.debuglto_*' $@
$B/libphial.a: $B/libphial.o
	@rm -f $@
	$(SAY) $(AR) rcs $@ $^
$B/$(SOFILE): $B/libphial.o
	$(SAY) $(CC) $(SHARED) $(NAMED) $(CFLAGS) -fno-lto $(LDFLAGS) -o $@ $^
	@ln -sf $(SOFILE) $B/$(SONAME)
	@ln -sf $(SONAME) $B/$(SOLINK)
NAMED = $(if $(DARWIN),-install_name $(LIBDIR)/$(SONAME),-Wl,-soname,$(SONAME))

# The replayers are compiled as a whole; the others use the library, except the
# specs, which look behind its interface.
$(REPLAYERS): $(filter-out %/rule_cost.o %_player.o %/names.o %/dispatch.o,$(call objects,bench/tools/*.c)) $(TRUSTED_O)
$B/bench/replay: $B/bench/tools/plain_player.o $B/bench/tools/dispatch.o
$B/bench/replay_typed: $B/bench/tools/typed_player.o $B/bench/tools/names.o
$B/bench/rule_cost: $B/bench/tools/rule_cost.o $B/bench/tools/measure.o $B/libphial.a
$(EXAMPLES): $B/examples/%: $B/examples/c/%.o $B/libphial.a
$B/spec/core: $(call objects,spec/c/*.c fuzz/fuzz.c fuzz/program.c fuzz/edits.c) $(CORE_O)
$(PROGRAMS):
	@mkdir -p $(@D)
	$(SAY) $(CC) $(CFLAGS) $(if $(filter $(REPLAYERS),$@),,-fno-lto) $(LDFLAGS) -o $@ $^ $(DL)
-include $(shell find $B -name '*.d' -type f 2>/dev/null)

# Each step is a make of its own: it sees what the one before has installed.
WITH = eval "$$(sh tools/env $B)" &&
SPECS = spec examples bench lint
deps: ; @sh tools/deps demo
env: ; @sh tools/env $B
demo: deps ; @$(SELF) all && $(WITH) $(LUA) examples/demo.lua
test:
	@sh tools/deps test
	+@$(SELF) specs
# Specs allocate the same again and again: free() keeps it. What they show of compiled code does not
# depend on the compiler, mostly: without LONG, it is the quickest.
MALLOC = MALLOC_MMAP_THRESHOLD_=33554432 MALLOC_TRIM_THRESHOLD_=1000000000
QUICKEST = $(if $(LONG)$(PRELOAD)$(filter-out default,$(origin CC)),,CC="$$(command -v tcc || echo cc)")
specs: everything ; @$(WITH) $(MALLOC) $(QUICKEST) $(PRELOAD) $(LUA) "$$(command -v busted)" --cpath '$B/?.so' \
  -o spec/support/per_file.lua $(SPECS)
bless: ; @BLESS=1 $(SELF) test
bench: everything ; @$(WITH) $(LUA) bench/suites/report.lua $(BLESS)
install: all ; @$(SELF) lib && $(INSTALL)
uninstall: ; $(INSTALL) --remove
INSTALL = LUA=$(LUA) STRIP="$(STRIP)" LIBDIR="$(LIBDIR)" sh tools/install $B "$(PREFIX)" "$(DESTDIR)"
clean: ; rm -rf build phial; find src -name '*.o' -delete
distclean: clean ; rm -rf lua_modules .luarocks node_modules platform.info *.rock

# The specs at full size, other builds run them as test does; side by side, what takes long first.
LONGER = test memcheck hard ubsan static proof fuzz threads attack routes
check-test: export LONG = 1
check-proof: export COUNT = 500
check-budgets: export BUDGETS = shared
# specs open it
check-test: BEFORE = playground
check:
	@sh tools/deps check
	+@$(SELF) check-lint && $(SELF) check-layers && $(SELF) everything && \
	  $(SELF) $(JOBS) -k -O $(LONGER:%=check-%) && $(SELF) check-pace && $(SELF) check-budgets
# overnight before a release; what they say is in $B/trust, too
HUNTERS = proof asan fuzz attack routes csmith programs threads every collected apicheck mutants coverage
trust: all ; +@sh tools/trust $B $(or $(MINUTES),1) $(HUNTERS)
check-%:
	+@start=$$(date +%s); echo "== $*"; $(if $(BEFORE),$(SELF) $(BEFORE) &&) $(SELF) $* && \
	  echo "== $*: $$(($$(date +%s) - start)) s"
STRICT = -Werror -Wconversion -Wsign-conversion
lint:
	luacheck -q . bin/phial lint/bin/*
	$(LUA) tools/rockspec.lua --check *.rockspec lint/*.rockspec
	$(LUA) tools/budgets.lua
	clang-format --dry-run -Werror $(C_FILES)
	! command -v gcc >/dev/null || $(SELF) B=build/lint CC=gcc CFLAGS='-O2 $(STRICT)' LTO= \
	  TRUST='-DPH_TRUSTED -DNDEBUG' everything
# lint compares what can be counted at once, this also what is built and run
budgets: ; @$(LUA) tools/budgets.lua $(or $(BUDGETS),measured)
static: $B/spec/c/bad_calls.h ; @tools/static
# what the shared library promised at TAG, or at the last tag, and does not keep
abi: ; +@MAKE="$(MAKE)" sh tools/abi $B $(TAG)
format: ; clang-format -i $(C_FILES)
layers: all ; @$(SELF) lib && NM=$(if $(LTO),gcc-nm,nm) $(LUA) tools/layers.lua $B
rockspec: ; @$(LUA) tools/rockspec.lua *.rockspec lint/*.rockspec
map: ; @$(LUA) tools/map.lua
generate:
	@$(LUA) tools/generate.lua src/core/rules/language/builtin.c lua/phial/emit/html/hashes.lua
	@$(SELF) quick && eval "$$(sh tools/env build/quick)" && $(LUA) tools/generate.lua
# asks solvers about rules, for tools/data/proved.txt: those that it lacks, or RULE=NAME, or RULE=--all
proved: all ; @$(WITH) $(LUA) tools/proved.lua $(RULE)
# a page that runs phial in browsers, in a folder of its own
playground: ; +@MAKE="$(MAKE) $(JOBS)" LUA=$(LUA) sh tools/playground $B
# steps of the paper's figures, for docs/explorer.md
pictures: all ; @$(WITH) $(LUA) tools/pictures.lua
# the manual as a site; says so where mkdocs is missing
site: all ; @$(WITH) LUA=$(LUA) sh tools/site/build $B
# proves and runs the checker of proof/; says so where coq or ocaml are missing
proof: all ; @$(WITH) LUA=$(LUA) sh proof/run $B $(COUNT)
# the release, in $B/dist
dist: ; @sh tools/dist $B
# a commit and a tag; CHECK=: without make check
release: all ; @LUA=$(LUA) CHECK="$(or $(CHECK),$(SELF) check)" sh tools/release $B "$(VERSION)"
rock: dist ; @LUA=$(LUA) sh tools/rock $B
# what `luarocks test` runs: the main path, without specs
try: all ; @$(WITH) $(LUA) tools/try.lua
# where cc is gcc, the usual build is counted
PACED = $(if $(shell $(CC) -dumpspecs 2>/dev/null),$B,build/pace)
pace: ; @$(SELF) B=$(PACED) CC=gcc SAY=@ everything && \
  eval "$$(sh tools/env $(PACED))" && CC=gcc $(LUA) bench/suites/pace.lua $(BLESS)
# What the build does not change is tried once, by test; examples say little of C.
but = $(filter-out $(1) spec/browser/% spec/command/% $(addprefix spec/project/,library_spec.lua make_spec.lua \
  proof_spec.lua release_spec.lua rockspec_spec.lua site_spec.lua) spec/rulecheck/prove_spec.lua,$(sort $(shell find spec -name '*_spec.lua')))
# hard: every array moves whenever it may, for which the specs of large cases are smaller
asan hard:
	+@$(SELF) B=build/$@ CC=gcc TRUST= CFLAGS='-O1 -g -fsanitize=address,undefined \
	  -fno-sanitize-recover=all $(if $(filter hard,$@),-DPH_HARD)' \
	  PRELOAD="$$(sh tools/sanitized)$(if $(filter hard,$@), HARD=1)" SPECS="$(but)$(if $(filter asan,$@), examples bench lint)" specs
	build/$@/examples/figure2 >/dev/null
# eight Lua states, and rules shared in C, in eight threads; MINUTES=n: again and again
threads:
	@$(SELF) B=build/$@ CC=gcc TRUST= LTO= CFLAGS='-O1 -g -fsanitize=thread' \
	  LUA="$$(command -v $(LUA))" PRELOAD="$$(LUA=$(LUA) sh tools/sanitized thread)" \
	  SPECS=spec/native/threads_spec.lua specs
	build/$@/spec/core freeze
# memory runs out at every allocation of some work, each in a run of its own: an hour
every: ; @EVERY=1 $(SELF) specs SPECS='spec/binding/oom_and_finalizers_spec.lua spec/c'
# what keeps things in Lua, while the collector never rests, in both of its modes
COLLECTED = spec/binding spec/build spec/edit spec/module spec/rules spec/trace
collected:
	@for mode in "'generational', 1, 1" "'incremental', 100, 100, 8"; do \
	  $(SELF) PRELOAD="LUA_INIT=\"collectgarbage($$mode)\"" SPECS='$(COLLECTED)' specs || exit; done
# the same under a Lua that checks what its C interface is given, which other builds of it do not
apicheck: all
	@lua=$$(sh tools/apicheck $B) || { echo 'apicheck: not run, Lua cannot be made of its sources'; exit; }; \
	$(SELF) LUA="$$lua" SPECS='$(COLLECTED) spec/analysis spec/run spec/source spec/text' specs && \
	LUA="$$lua" sh tools/attack $B
# what is Lua over the module, which hard tries, and native code
OVER = spec/native/% spec/project/% spec/source/%
# clang's sanitizer finds what gcc's does not, such as null + 0; its warnings, too
UBSAN = -fsanitize=undefined -fno-sanitize-recover=all -shared-libsan
ubsan:
	@echo 'int main(void) { return 0; }' | \
	  clang $(UBSAN) -x c -o /dev/null - 2>/dev/null || \
	  { echo 'ubsan: not run, clang or its runtime is not installed'; exit; }; \
	$(SELF) B=build/$@ CC=clang TRUST= CFLAGS='-O1 -g $(UBSAN) $(STRICT)' \
	  LDFLAGS="-Wl,-rpath,$$(clang -print-runtime-dir)" \
	  PRELOAD=UBSAN_OPTIONS=print_stacktrace=1 SPECS="$(call but,$(OVER))" specs
# the core on bytes that libFuzzer makes up: MINUTES for each target, or 5 s
FUZZ = -O1 -g -Werror -DPH_HARD -fno-sanitize-recover=undefined -fsanitize=address,undefined
FUZZERS = $(patsubst %.c,$B/%,$(shell grep -l '^int LLVMFuzzerTestOneInput' fuzz/*.c))
fuzz:
	@echo '#include <stddef.h>\nint LLVMFuzzerTestOneInput(char *p, size_t n) { return !p && n; }' | \
	  clang -fsanitize=fuzzer,address -x c -o /dev/null - 2>/dev/null || \
	  { echo 'fuzz: not run, clang or its libFuzzer is not installed'; exit; }; \
	$(SELF) $(JOBS) B=build/$@ CC=clang TRUST= LTO= CFLAGS='$(FUZZ),fuzzer-no-link' .fuzzers && \
	sh tools/fuzz build/$@ $(if $(MINUTES),$$(($(MINUTES) * 60)),5)
.fuzzers: $(FUZZERS) ; @:
$B/fuzz/build: $(call objects,fuzz/program.c fuzz/edits.c)
$B/fuzz/lua: $(BINDING_O)
$B/fuzz/lua: EXTRA_LIBS = -llua5.4
$B/fuzz/lua.o: EXTRA += $(LUA_CFLAGS)
$(FUZZERS): %: %.o $B/fuzz/fuzz.o $(CORE_O)
	$(SAY) $(CC) $(CFLAGS),fuzzer $(LDFLAGS) -o $@ $^ $(EXTRA_LIBS)
# what the specs run of src/core and src/binding, by gcov, whether or not they pass
# when they are that slow (those of spec/project would build the module anew)
coverage:
	@rm -rf build/$@; $(SELF) B=build/$@ CC=gcc OBJCOPY=true TRUST= LTO= CFLAGS='-O0 --coverage' \
	  SPECS="$(filter-out spec/project/% spec/browser/%,$(sort $(shell find $(SPECS) -name '*_spec.lua')))" specs; \
	$(LUA) tools/coverage.lua build/$@
# what sanitizers do not see: reads of memory that nothing has written (not at
# full size, nor for specs of large sizes and of time, nor memory that runs out in Lua,
# where hard looks; valgrind rounds the arithmetic of native code in its own way)
memcheck:
	@RUNS=5 $(SELF) specs PRELOAD='valgrind -q --error-exitcode=1' SPECS="$(call but,$(OVER) \
	  $(addprefix spec/emit/,c_spec.lua cps_spec.lua llvm_spec.lua names_spec.lua) \
	  %/corpus_spec.lua %/limits_spec.lua %/parameters_spec.lua %/growth_spec.lua \
	  %/oom_and_finalizers_spec.lua)"
# one changed token of the core at a time, in a copy of the tree
mutants: ; @nice -n 10 $(LUA) tools/mutants.lua build/mutants $(or $(COUNT),300) $(or $(SEED),1) $(ONLY)
# calls of everything with arguments of all kinds: MINUTES=n under sanitizers, going on
# where the last one ended; without it the plain build, for less than a minute
attack: ; @$(SELF) $(if $(MINUTES),B=build/asan CC=gcc TRUST= CFLAGS='-O1 -g \
	  -fsanitize=address$(,)undefined -fno-sanitize-recover=all') SAY=@ everything && \
	  sh tools/attack $(if $(MINUTES),build/asan $(MINUTES),$B)
# random programs by all routes, compared with the oracle: MINUTES=n goes on where the last one
# ended; without it, for less than a minute
routes: everything ; @sh fuzz/routes $B $(MINUTES)
# random C programs through examples/minic, by all ways: three, or those after the last one
csmith: all ; @$(WITH) $(LUA) examples/minic/csmith.lua $B $(MINUTES)
# what others wrote, through examples: COUNT=n modules of WebAssembly that binaryen makes up
programs: all ; @COUNT=$(COUNT) sh tools/programs $B
, = ,
.PHONY: all .all lib .lib abi quick everything .everything deps env demo test specs bless bench \
  install uninstall clean distclean check trust lint budgets static format layers coverage apicheck rockspec map generate proved \
  playground pictures site proof dist release rock try pace asan ubsan hard memcheck fuzz \
  .fuzzers attack mutants threads every collected routes csmith programs
