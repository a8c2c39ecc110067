# build.mk: the program of the playground, by emscripten. tools/playground calls it with
# LUA_SRC and LPEG_SRC, the folders of their sources, and OUT.

CFLAGS = -O2
CORE_C = $(sort $(wildcard src/core/*/*.c src/core/*/*/*.c))
BINDING_C = $(sort $(wildcard src/binding/*/*.c))
LUA_C = $(filter-out %/lua.c %/luac.c,$(sort $(wildcard $(LUA_SRC)/*.c)))
LPEG_C = $(sort $(wildcard $(LPEG_SRC)/*.c))
OWN_O = $(patsubst %.c,$(OUT)/%.o,$(CORE_C) $(BINDING_C))
LUA_O = $(patsubst $(LUA_SRC)/%.c,$(OUT)/lua/%.o,$(LUA_C))
LPEG_O = $(patsubst $(LPEG_SRC)/%.c,$(OUT)/lpeg/%.o,$(LPEG_C))
SHIM_O = $(OUT)/playground/shim.o $(OUT)/files.o
EMCC ?= emcc
# Debian's luaconf.h includes a header with the name of the machine's folders.
DEBIAN_H = $(OUT)/include/lua5.4-deb-multiarch.h
LUA_I = -I$(LUA_SRC) -I$(OUT)/include
COMPILE = @mkdir -p $(@D); echo $@; $(EMCC) $(CFLAGS) -MMD -MP -c -o $@ $<

LINK = -s MODULARIZE=1 -s EXPORT_NAME=createProgram -s ENVIRONMENT=worker \
  -s DYNAMIC_EXECUTION=0 -s ALLOW_MEMORY_GROWTH=1 -s MAXIMUM_MEMORY=512MB \
  -s EXPORTED_FUNCTIONS=_malloc,_free \
  -s EXPORTED_RUNTIME_METHODS=lengthBytesUTF8,stringToUTF8

$(OUT)/program.js: $(OWN_O) $(LUA_O) $(LPEG_O) $(SHIM_O) playground/build.mk
	@echo $@
	@$(EMCC) $(CFLAGS) $(LINK) -o $@ $(filter %.o,$^)

# What Lua loads, as C. The list of files is compared each time.
$(OUT)/files.c: FORCE
	@$(LUA) tools/playground.lua files $@
$(OUT)/files.o: $(OUT)/files.c ; $(COMPILE) -Iplayground
FORCE:

$(DEBIAN_H):
	@mkdir -p $(@D); echo '#define DEB_HOST_MULTIARCH "wasm"' >$@
$(OWN_O) $(LUA_O) $(LPEG_O) $(SHIM_O): | $(DEBIAN_H)

$(OUT)/src/core/%.o: src/core/%.c
	$(COMPILE) -std=c11 -Isrc -DPH_TRUSTED
$(OUT)/src/binding/%.o: src/binding/%.c
	$(COMPILE) -std=c11 -Isrc $(LUA_I)
$(OUT)/playground/%.o: playground/%.c
	$(COMPILE) -std=c11 $(LUA_I)
$(OUT)/lua/%.o: $(LUA_SRC)/%.c
	$(COMPILE) -DLUA_COMPAT_5_3 $(LUA_I)
$(OUT)/lpeg/%.o: $(LPEG_SRC)/%.c
	$(COMPILE) $(LUA_I)

-include $(shell find $(OUT) -name '*.d' -type f 2>/dev/null)
