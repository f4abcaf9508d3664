// lib/shim/diagnostics.cpp - warnings, remarks and notes; keeping diagnostics.
#include "shim/shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Threading.h"

#include <cstdarg>
#include <string>

using namespace mlir;

struct RmDiagnostic {
  InFlightDiagnostic flight;
};

static InFlightDiagnostic emit(RmSeverity severity, Location where) {
  switch (severity) {
  case RM_ERROR:
    return emitError(where);
  case RM_WARNING:
    return emitWarning(where);
  default:
    return emitRemark(where);
  }
}

RmDiagnostic *rm_diagnostic_begin(RmSeverity severity, MlirLocation where,
                                  const char *text) {
  auto *diagnostic = new RmDiagnostic{emit(severity, unwrap(where))};
  diagnostic->flight << text;
  return diagnostic;
}

void rm_diagnostic_note(RmDiagnostic *diagnostic, MlirLocation where,
                        const char *text) {
  diagnostic->flight.attachNote(unwrap(where)) << text;
}

void rm_diagnostic_end(RmDiagnostic *diagnostic) { delete diagnostic; }

void rm_emit(RmSeverity severity, MlirLocation where, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(nullptr, 0, format, arguments);
  std::string text(length < 0 ? 0 : (size_t)length, '\0');
  vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  va_end(arguments);
  emit(severity, unwrap(where)) << text;
}

// Passes that run below emit on threads of their own, but MLIR hands their
// diagnostics over on the thread that waits for them. What another thread emits
// is therefore none of ours.
struct RmCapture {
  MLIRContext *context;
  DiagnosticEngine::HandlerID handler;
  uint64_t thread;
  std::string error;
  LocationAttr where;
};

static LogicalResult keep(RmCapture *capture, Diagnostic &diagnostic) {
  if (llvm::get_threadid() != capture->thread)
    return failure();
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
      !capture->where) {
    capture->error = diagnostic.str();
    capture->where = diagnostic.getLocation();
  }
  return success();
}

RmCapture *rm_capture_begin(MlirContext context) {
  auto *capture = new RmCapture();
  capture->context = unwrap(context);
  capture->thread = llvm::get_threadid();
  capture->handler = capture->context->getDiagEngine().registerHandler(
      [capture](Diagnostic &diagnostic) { return keep(capture, diagnostic); });
  return capture;
}

const char *rm_capture_error(RmCapture *capture) {
  return capture->error.c_str();
}

MlirLocation rm_capture_location(RmCapture *capture) {
  return MlirLocation{capture->where.getAsOpaquePointer()};
}

void rm_capture_end(RmCapture *capture) {
  capture->context->getDiagEngine().eraseHandler(capture->handler);
  delete capture;
}
