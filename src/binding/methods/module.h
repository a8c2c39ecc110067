/* module.h: what the module is made of. */
#ifndef PH_BINDING_MODULE_H
#define PH_BINDING_MODULE_H

#include "lauxlib.h"
#include "lua.h"

LUAMOD_API int luaopen_phial_core(lua_State *L);
int ph_maker_new(lua_State *L);   /* phial.fn */
int ph_dialect_new(lua_State *L); /* phial.dialect */
int ph_text_parse(lua_State *L);  /* phial.parse */

/* The methods of each kind, by file. */
extern const luaL_Reg ph_function_methods[], ph_ending_methods[],
    ph_query_methods[], ph_text_methods[], ph_text_meta[], ph_log_methods[];
extern const luaL_Reg ph_block_methods[], ph_terminator_methods[],
    ph_switch_methods[], ph_emit_methods[], ph_handphi_methods[],
    ph_terminator_blockmethods[];
extern const luaL_Reg ph_value_methods[], ph_operator_meta[];
extern const luaL_Reg ph_variable_methods[];
extern const luaL_Reg ph_edit_methods[], ph_edge_methods[],
    ph_edge_blockmethods[], ph_loop_methods[], ph_loop_blockmethods[];
extern const luaL_Reg ph_attach_opmethods[], ph_attach_opmeta[];

#endif
