/* The plugin has no interface but libasound's: see PacedMicrophone.c. */
#pragma once
