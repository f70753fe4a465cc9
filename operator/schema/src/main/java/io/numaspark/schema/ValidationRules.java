package io.numaspark.schema;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The CEL rules of a CRD's schema ({@code x-kubernetes-validations}), with the functions of
 * Kubernetes' own library that they use: {@code quantity} and its {@code compareTo}.
 *
 * <p>Limit: of a rule only its expression and message are read.
 */
final class ValidationRules {
  private static final ObjectMapper VALUES =
      JsonMapper.builder().enable(DeserializationFeature.USE_LONG_FOR_INTS).build();

  private final JsonNode schema;

  ValidationRules(JsonNode schema) {
    this.schema = schema;
  }

  /** What the rules refuse of an object with its defaults that fits its schema. */
  List<Violation> check(JsonNode object) {
    return check("", schema, object);
  }

  /** The same for its spec alone. */
  List<Violation> checkSpec(JsonNode object) {
    return check("spec", schema.path("properties").path("spec"), object.path("spec"));
  }

  private static List<Violation> check(String path, JsonNode schema, JsonNode value) {
    List<Violation> violations = new ArrayList<>();
    check(path, schema, VALUES.convertValue(value, Object.class), violations);
    return violations;
  }

  private static void check(String path, JsonNode schema, Object self, List<Violation> violations) {
    for (JsonNode rule : schema.path("x-kubernetes-validations")) {
      if (!Cel.holds(rule.path("rule").asText(), self)) {
        String message = rule.path("message").asText();
        violations.add(new Violation(path, message, message));
      }
    }
    if (self instanceof List<?> items) {
      for (int i = 0; i < items.size(); i++) {
        check(path + "[" + i + "]", schema.path("items"), items.get(i), violations);
      }
    }
    if (self instanceof Map<?, ?> fields) {
      fields.forEach(
          (name, value) -> {
            JsonNode below = schema.path("properties").path(name.toString());
            check(
                path.isEmpty() ? name.toString() : path + "." + name,
                below.isMissingNode() ? schema.path("additionalProperties") : below,
                value,
                violations);
          });
    }
  }

  /** The expression language; loaded with the first object that has a rule. */
  static final class Cel {
    private static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");
    private static final Map<String, CelRuntime.Program> PROGRAMS = new ConcurrentHashMap<>();
    private static final CelCompiler COMPILER =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addVar("self", SimpleType.DYN)
            .addFunctionDeclarations(
                CelFunctionDecl.newFunctionDeclaration(
                    "quantity",
                    CelOverloadDecl.newGlobalOverload(
                        "string_to_quantity", QUANTITY, SimpleType.STRING)),
                CelFunctionDecl.newFunctionDeclaration(
                    "compareTo",
                    CelOverloadDecl.newMemberOverload(
                        "quantity_compare_to", SimpleType.INT, QUANTITY, QUANTITY)))
            .build();
    private static final CelRuntime RUNTIME =
        CelRuntimeFactory.standardCelRuntimeBuilder()
            .addFunctionBindings(
                CelFunctionBinding.from(
                    "string_to_quantity",
                    String.class,
                    text -> Quantity.getAmountInBytes(new Quantity(text))),
                CelFunctionBinding.from(
                    "quantity_compare_to",
                    BigDecimal.class,
                    BigDecimal.class,
                    (one, other) -> (long) one.compareTo(other)))
            .build();

    static boolean holds(String rule, Object self) {
      try {
        return Boolean.TRUE.equals(
            PROGRAMS.computeIfAbsent(rule, Cel::compile).eval(Map.of("self", self)));
      } catch (CelEvaluationException e) {
        // Refused by the API server too, which says that the rule could not be evaluated.
        return false;
      }
    }

    static CelRuntime.Program compile(String rule) {
      try {
        return RUNTIME.createProgram(COMPILER.compile(rule).getAst());
      } catch (CelValidationException | CelEvaluationException e) {
        throw new IllegalStateException("a rule of the CRD cannot be read: " + rule, e);
      }
    }
  }
}
