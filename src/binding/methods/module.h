/* module.h: what the module is made of. */
#ifndef PL_METHODS_MODULE_H
#define PL_METHODS_MODULE_H

#include "lauxlib.h"
#include "lua.h"

LUAMOD_API int luaopen_phial_core(lua_State *L);
int pl_text_parse(lua_State *L); /* phial.parse */

/* The methods of each kind, by file. */
extern const luaL_Reg pl_function_methods[], pl_finish_methods[],
    pl_analysis_methods[], pl_text_methods[], pl_text_meta[], pl_log_methods[];
extern const luaL_Reg pl_block_methods[], pl_terminator_methods[],
    pl_switch_methods[], pl_emit_methods[], pl_phi_methods[],
    pl_terminator_blockmethods[];
extern const luaL_Reg pl_value_methods[], pl_operator_meta[];
extern const luaL_Reg pl_variable_methods[];
extern const luaL_Reg pl_explain_methods[], pl_rule_check_methods[];
extern const luaL_Reg pl_edit_methods[], pl_edge_methods[],
    pl_edge_blockmethods[], pl_loop_methods[], pl_loop_blockmethods[];

#endif
